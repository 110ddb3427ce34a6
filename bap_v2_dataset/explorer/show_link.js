(query) => {
    if (!query) return "";
    const shown = new URLSearchParams(query), now = new URLSearchParams(location.search);
    const names = ["config", "split", "item"];
    const differs = (other) => names.some((name) => shown.get(name) !== other.get(name));
    const visits = window.bapVisits ?? [];
    const recent = ({ time }) => Date.now() - time < 10000;
    const visit = visits.findIndex((visit) => recent(visit) && !differs(new URLSearchParams(visit.query)));
    if (visit >= 0) {
        visits.splice(0, visit + 1);
    } else if (differs(now)) {
        const first = !now.has("item");
        names.forEach((name) => now.set(name, shown.get(name)));
        history[first ? "replaceState" : "pushState"](null, "", "?" + now);
    }
    return location.href;
}
