// What HTMX does not do: copy a text, follow links within pictures, say that nobody answers, take what a search found,
// take the secret of a link out of the address.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) {
    await navigator.clipboard.writeText(button.dataset.copy);
    document.getElementById("said").textContent = button.dataset.done;
    return;
  }
  // HTMX does not see links of SVG, whose address is an object.
  const link = event.target.closest("svg a[data-hx-get]");
  if (link && window.htmx && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    window.htmx.ajax("GET", link.dataset.hxGet, { target: link.dataset.hxTarget, swap: "outerHTML" });
  }
});

// A server that does not answer is said above the page; what asks by itself asks on, until it answers again.
document.addEventListener("htmx:sendError", (event) => {
  const failed = document.getElementById("failed");
  failed.textContent = failed.dataset.away;
  failed.className = "verdict bad";
  const asks = event.detail.elt.closest("[hx-trigger^=load]");
  if (asks) {
    const address = asks.getAttribute("hx-get");
    setTimeout(() => window.htmx.ajax("GET", address, { source: asks, target: asks, swap: "outerHTML" }), 2000);
  }
});
document.addEventListener("htmx:beforeOnLoad", () => {
  const failed = document.getElementById("failed");
  if (failed.textContent === failed.dataset.away) {
    failed.textContent = "";
    failed.className = "";
  }
});

// Levels that a search found are taken where nobody has moved a slider since it began and no hand is on one.
document.addEventListener("htmx:afterSettle", () => {
  const link = document.querySelector("#search a[data-take]");
  const address = new URLSearchParams(location.search);
  if (link && (!location.search || address.has("best")) && !document.activeElement.closest("#sliders")) {
    location.replace(link.href);
  }
});

// How much of a file has arrived: HTMX tells it, and the form names the bar that shows it.
document.addEventListener("htmx:xhr:progress", (event) => {
  const form = event.target.closest("form[data-progress]");
  const bar = form && document.getElementById(form.dataset.progress);
  if (bar && event.detail.lengthComputable) {
    bar.hidden = false;
    bar.value = event.detail.loaded / event.detail.total;
  }
});

// A slider and the number beside it are one control: each says what the other does.
document.addEventListener("input", (event) => {
  const other = event.target.dataset && event.target.dataset.twin && document.getElementById(event.target.dataset.twin);
  if (other && other.value !== event.target.value) {
    other.value = event.target.value;
  }
});

// The part behind # never goes to a server by itself: a link that works once is in no log on its way.
const secret = document.querySelector("input[data-from-address]");
if (secret && location.hash.length > 1) {
  secret.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
}
