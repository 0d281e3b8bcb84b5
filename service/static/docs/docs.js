// Sends the edited example beside a button to this server and shows the answer; on phones the contents are closed.
if (matchMedia("(width < 62rem)").matches) document.querySelector("nav details").open = false;

for (const button of document.querySelectorAll(".operation button")) {
  button.addEventListener("click", async () => {
    const { method, path } = button.closest(".operation").dataset;
    const box = button.parentElement;
    const out = box.querySelector("pre");
    const body = box.querySelector("textarea");
    const query = box.querySelector("input");
    const address = query && query.value ? path + "?" + query.value : path;
    const options = { method: method.toUpperCase() };
    if (body) {
      options.headers = { "Content-Type": body.dataset.type };
      options.body = body.value;
    }
    out.hidden = false;
    out.textContent = "...";
    try {
      const answer = await fetch(address, options);
      const text = await answer.text();
      const timing = answer.headers.get("Server-Timing");
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON: shown unchanged */ }
      out.textContent = `${answer.status} ${answer.statusText}${timing ? "\n" + timing : ""}\n\n${shown}`;
    } catch (error) {
      out.textContent = String(error);
    }
  });
}
