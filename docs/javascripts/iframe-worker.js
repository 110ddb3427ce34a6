/* Pages that are opened as files may not start workers, and the search needs one: a hidden frame takes its place. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      const inside = frame.contentWindow
      const base = new URL(url, location.href)
      inside.document.open()
      inside.document.write("<!doctype html><title>search</title>")
      inside.document.close()
      inside.postMessage = data => {
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        if (this.onmessage) this.onmessage(event)
      }
      const load = source => new Promise((resolve, reject) => {
        const script = inside.document.createElement("script")
        script.src = new URL(source, base)
        script.onload = resolve
        script.onerror = reject
        inside.document.body.appendChild(script)
      })
      inside.importScripts = (...sources) => sources.reduce((all, one) => all.then(() => load(one)), Promise.resolve())
      this.inside = inside
      this.ready = load(base)
    }
    postMessage(data) {
      this.ready = this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {}
  }
}
