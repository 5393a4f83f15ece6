// The versions beside this one, from the list that `make site` writes; without scripts the link to all of them stays.
window.addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement.dataset.content_root;
  const list = document.createElement("script");
  list.src = `${root}../versions.js`;
  list.onload = () => document.querySelectorAll(".versions ul").forEach((menu) => {
    for (const version of [...window.SFUMATO_VERSIONS].reverse()) {
      const link = Object.assign(document.createElement("a"), {
        href: `${root}../${version}/docs/index.html`, textContent: version,
      });
      const entry = document.createElement("li");
      entry.append(link);
      menu.prepend(entry);
    }
  });
  document.head.append(list);
});
