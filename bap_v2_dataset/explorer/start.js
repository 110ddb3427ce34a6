    let visits = 0;
    window.bapVisits = [];  // to which the history has led, and the server has not shown yet
    window.addEventListener("popstate", () => {
        const box = document.querySelector("#visited textarea, #visited input");
        if (!box) return;
        window.bapVisits.push({ query: location.search, time: Date.now() });
        box.value = JSON.stringify([location.search, ++visits]);
        box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const read = new WeakMap();
    const look = () => {
        for (const talk of document.querySelectorAll("#dialogue .talk, #talk .talk")) {
            if (read.get(talk) === talk.textContent) continue;
            read.set(talk, talk.textContent);
            talk.scrollTop = talk.scrollHeight;
        }
        bapPlay.look();
    };
    let waiting = false;
    new MutationObserver(() => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => { waiting = false; look(); });
    }).observe(document.body, { childList: true, subtree: true });
