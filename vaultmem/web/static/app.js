"use strict";
/* What lives on the pages: keys, the slider, live changes, drawings. All else works without it. */
document.documentElement.classList.add("js");

const main = () => document.getElementById("main");
const past = document.body.dataset.past;
const typing = (e) => e.target.closest("input, textarea, select, [contenteditable]") !== null;

/* --- keys ------------------------------------------------------------------------------------ */

const GO = { h: "/", t: "/timeline", p: "/cards", o: "/topics", s: "/sessions", k: "/tasks", r: "/review", d: "/dreams", y: "/history", g: "/graph" };
let going = false;

const address = (path) => path + (past ? `?as_of=${encodeURIComponent(past)}` : "");

function step(by) {
  const rows = [...document.querySelectorAll("[data-row]")].map((row) => row.querySelector("a, button, input:not([type=hidden])")).filter(Boolean);
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.closest("[data-row]").contains(document.activeElement));
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
  if (typing(e)) {
    if (e.key === "Escape") e.target.blur();
    if (e.target.type === "search" && e.key === "ArrowDown") { e.preventDefault(); step(1); }
    return;
  }
  if (going) {
    going = false;
    if (GO[e.key]) { e.preventDefault(); location.assign(address(GO[e.key])); return; }
  }
  const keyed = [...document.querySelectorAll("[data-key]")].find((link) => link.dataset.key === e.key);
  if (keyed) { e.preventDefault(); keyed.click(); return; }
  switch (e.key) {
    case "/": e.preventDefault(); (document.getElementById("q") || document.getElementById("find")).focus(); break;
    case "g": going = true; break;
    case "j": case "ArrowDown": if (document.querySelector("[data-row]")) { e.preventDefault(); step(1); } break;
    case "k": case "ArrowUp": if (document.querySelector("[data-row]")) { e.preventDefault(); step(-1); } break;
    case "?": document.getElementById("keys").showModal(); break;
    case "e": open_edit(); break;
    case "1": case "2": case "3": move(document.activeElement.closest("[data-task]"), Number(e.key)); break;
  }
});

function open_edit() {
  const edit = document.getElementById("edit");
  if (edit) { edit.open = true; edit.querySelector("textarea").focus(); }
}

/* In a narrow window the pages stand in a row that scrolls. */
document.querySelector(".side [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

const help = document.querySelector(".help");
help.hidden = false;
help.addEventListener("click", () => document.getElementById(help.dataset.opens).showModal());

/* --- the past -------------------------------------------------------------------------------- */

const menu = document.querySelector(".past-menu");
menu.addEventListener("toggle", async () => {
  const slider = menu.querySelector(".slider");
  if (!menu.open || !slider.hidden) return;
  const answer = await fetch("/moments", { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  const moments = (await answer.json()).moments;
  if (moments.length < 2) return;
  const input = slider.querySelector("input"), said = slider.querySelector("output");
  const form = menu.querySelector("form"), day = form.querySelector("[name=as_of]");
  input.max = moments.length;
  const at = moments.findIndex((it) => past && it.when >= past);
  input.value = past && at >= 0 ? at : moments.length;
  const tell = () => {
    const it = moments[input.value];
    said.textContent = it ? `${it.day}: ${it.said}` : "now";
    input.setAttribute("aria-valuetext", said.textContent);
  };
  input.addEventListener("input", tell);
  input.addEventListener("change", () => {
    const it = moments[input.value];
    day.type = "text";
    day.value = it ? it.when : "";
    day.disabled = !it;
    form.submit();
  });
  tell();
  slider.hidden = false;
});
document.addEventListener("click", (e) => { if (menu.open && !menu.contains(e.target)) menu.open = false; });
document.addEventListener("keydown", (e) => { if (e.key === "Escape" && menu.open) { menu.open = false; menu.querySelector("summary").focus(); } });

/* --- live changes ----------------------------------------------------------------------------- */

const stale = document.querySelector(".stale");
let typed = false;
document.addEventListener("input", (e) => { if (e.target.closest("main form[data-keep], main textarea, main input[name=subject], main input[name=typed]")) typed = true; });
document.addEventListener("submit", () => { typed = false; });
window.addEventListener("beforeunload", (e) => { if (typed) e.preventDefault(); });

const here = () => {
  const url = new URL(location.href);
  url.searchParams.delete("said");
  return url.href;
};

const isBusy = () => {
  const at = document.activeElement;
  return typed || (main().contains(at) && !at.matches("a, main")) || String(getSelection());
};

let sent = Promise.resolve();

async function show() {
  const before = sent;
  await before;
  const answer = await fetch(here(), { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  /* A page that was made before a tick came would take it back. */
  if (sent !== before) { await show(); return; }
  /* Whoever went to a box or a field meanwhile would lose it. */
  if (isBusy()) { stale.hidden = false; return; }
  const opened = [...main().querySelectorAll("details[open][id]")].map((it) => it.id);
  const notice = main().querySelector(".notice");
  const held = main().contains(document.activeElement) && document.activeElement.getAttribute("href");
  const found = page.getElementById("main");
  if (notice) found.prepend(notice);
  main().replaceChildren(...found.childNodes);
  document.querySelector(".side").replaceChildren(...page.querySelector(".side").childNodes);
  if (held) main().querySelector(`a[href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  opened.forEach((id) => { const it = document.getElementById(id); if (it) it.open = true; });
  if (window.htmx) window.htmx.process(main());
  stale.hidden = true;
  draw();
}

let missed = false;
document.addEventListener("visibilitychange", () => { if (!document.hidden && missed) changed(); });

function changed() {
  missed = document.hidden;
  if (past || missed) return;
  if (isBusy()) stale.hidden = false; else show();
}
stale.querySelector("button").addEventListener("click", () => { typed = false; show(); });

/* A browser keeps six connections to one server: of all tabs one listens, and tells the others. What
   changed before a tab could hear of it is found by the count of changes that each page was made at. */
function listen() {
  const channel = new BroadcastChannel("vaultmem-live");
  let seen = document.body.dataset.changes, listens = false;
  const hear = (count) => { if (count !== seen) { seen = count; changed(); } };
  channel.addEventListener("message", ({ data }) => {
    if (data !== "here") hear(data);
    else if (listens) channel.postMessage(seen);
  });
  channel.postMessage("here");
  navigator.locks.request("vaultmem-live", () => new Promise(() => {
    listens = true;
    const events = new EventSource(`/live?seen=${seen}`);
    events.addEventListener("change", ({ data }) => { channel.postMessage(data); hear(data); });
  }));
}
if (!past && window.BroadcastChannel && navigator.locks) listen();

/* --- ticks that the note has, too ------------------------------------------------------------- */

document.addEventListener("change", (e) => {
  const form = e.target.closest("form[data-ticks]");
  if (!form || e.target.name !== "change") return;
  const fields = new URLSearchParams({ csrf: form.elements.csrf.value, shown: e.target.value });
  if (e.target.checked) fields.set("change", e.target.value);
  sent = fetch(form.dataset.ticks, { method: "POST", body: fields, redirect: "manual" }).catch(() => {});
});

/* --- tasks are dragged, or moved by a column's number ------------------------------------------- */

function put(task, column) {
  const form = [...task.querySelectorAll("form")].find((it) => it.elements.status.value === column.dataset.status);
  if (form) form.submit();
}

function move(task, number) {
  if (task) put(task, document.querySelectorAll("[data-status]")[number - 1]);
}

let dragged = null;
document.addEventListener("dragstart", (e) => { dragged = e.target.closest?.("[data-task]") || null; });
document.addEventListener("dragover", (e) => {
  const column = e.target.closest("[data-status]");
  document.querySelectorAll(".column.over").forEach((it) => it.classList.toggle("over", it === column));
  if (column && dragged) { e.preventDefault(); column.classList.add("over"); }
});
document.addEventListener("drop", (e) => {
  const column = e.target.closest("[data-status]");
  if (!column || !dragged) return;
  e.preventDefault();
  put(dragged, column);
  dragged = null;
});

/* --- drawings ------------------------------------------------------------------------------------ */

function timeline(svg) {
  const chosen = svg.querySelector(".chosen");
  const from = Date.parse(svg.dataset.from), to = Date.parse(svg.dataset.to);
  let start = null;
  const place = (e) => {
    const box = svg.getBoundingClientRect();
    return Math.min(Math.max((e.clientX - box.left) / box.width, 0), 1);
  };
  svg.addEventListener("pointerdown", (e) => { if (e.button === 0) start = place(e); });
  svg.addEventListener("dragstart", (e) => e.preventDefault());
  window.addEventListener("pointermove", (e) => {
    if (start === null) return;
    const now = place(e);
    chosen.setAttribute("x", `${100 * Math.min(start, now)}%`);
    chosen.setAttribute("width", `${100 * Math.abs(now - start)}%`);
    chosen.setAttribute("visibility", Math.abs(now - start) > .005 ? "visible" : "hidden");
  });
  window.addEventListener("pointerup", (e) => {
    if (start === null) return;
    const now = place(e), one = Math.min(start, now), other = Math.max(start, now);
    start = null;
    if (other - one < .01) return;
    const url = new URL(location.href), stamp = (at) => `${new Date(from + at * (to - from)).toISOString().slice(0, 19)}Z`;
    url.searchParams.set("from", stamp(one));
    url.searchParams.set("to", stamp(other));
    url.searchParams.delete("said");
    svg.addEventListener("click", (c) => c.preventDefault(), { once: true, capture: true });
    location.assign(url.href);
  });
}

function graph(svg) {
  const whole = svg.getAttribute("viewBox").split(" ").map(Number);
  let box = [...whole], held = null, moved = false;
  const look = () => svg.setAttribute("viewBox", box.map((n) => n.toFixed(1)).join(" "));
  const zoom = (by, x = box[0] + box[2] / 2, y = box[1] + box[3] / 2) => {
    box = by ? [x - (x - box[0]) * by, y - (y - box[1]) * by, box[2] * by, box[3] * by] : [...whole];
    look();
  };
  const scale = () => Math.max(box[2] / svg.clientWidth, box[3] / svg.clientHeight);
  const at = (e) => {
    const frame = svg.getBoundingClientRect(), s = scale();
    return [box[0] + box[2] / 2 + (e.clientX - frame.left - frame.width / 2) * s, box[1] + box[3] / 2 + (e.clientY - frame.top - frame.height / 2) * s];
  };
  document.querySelectorAll("[data-zoom]").forEach((it) => it.addEventListener("click", () => zoom(Number(it.dataset.zoom))));
  svg.addEventListener("wheel", (e) => { e.preventDefault(); zoom(e.deltaY > 0 ? 1.12 : .89, ...at(e)); }, { passive: false });
  svg.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY]; moved = false; });
  svg.addEventListener("dragstart", (e) => e.preventDefault());
  window.addEventListener("pointermove", (e) => {
    if (!held) return;
    const s = scale();
    box[0] -= (e.clientX - held[0]) * s;
    box[1] -= (e.clientY - held[1]) * s;
    moved = moved || Math.hypot(e.clientX - held[0], e.clientY - held[1]) > 2;
    held = [e.clientX, e.clientY];
    svg.classList.add("dragged");
    look();
  });
  window.addEventListener("pointerup", () => { held = null; svg.classList.remove("dragged"); });
  svg.addEventListener("click", (e) => { if (moved) e.preventDefault(); });
  const said = document.querySelector(".pointed");
  const name = (link) => link.getAttribute("aria-label") || decodeURIComponent(link.getAttribute("href")).split("?")[0].split("/").pop().replace(/^\d{8}-\d{6}-|(-[0-9a-z]{6})?\.md$/g, "").replaceAll("-", " ");
  const light = (node) => {
    if (node !== null) said.textContent = name(svg.querySelector(`a[data-n="${node}"]`));
    svg.classList.toggle("lit", node !== null);
    svg.querySelectorAll(".on").forEach((it) => it.classList.remove("on"));
    if (node === null) return;
    const near = new Set([node]);
    svg.querySelectorAll(`path[data-a="${node}"], path[data-b="${node}"]`).forEach((path) => {
      path.classList.add("on");
      near.add(path.dataset.a).add(path.dataset.b);
    });
    near.forEach((n) => svg.querySelector(`a[data-n="${n}"]`)?.classList.add("on"));
  };
  svg.addEventListener("pointerover", (e) => light(e.target.closest("a[data-n]")?.dataset.n ?? null));
  svg.addEventListener("pointerleave", () => light(null));
  svg.addEventListener("focusin", (e) => light(e.target.closest("a[data-n]")?.dataset.n ?? null));
  svg.addEventListener("focusout", () => light(null));
  const keys = { "+": .8, "-": 1.25, ArrowLeft: [-.1, 0], ArrowRight: [.1, 0] };
  document.addEventListener("keydown", (e) => {
    if (typing(e) || !(e.key in keys)) return;
    if (typeof keys[e.key] === "number") { zoom(keys[e.key]); return; }
    box[0] += keys[e.key][0] * box[2];
    look();
  });
}

function draw() {
  document.querySelectorAll(".scroll:has(> .calendar)").forEach((box) => { box.scrollLeft = box.scrollWidth; });
  document.querySelectorAll("svg.timeline:not([data-drawn])").forEach((svg) => { svg.dataset.drawn = ""; timeline(svg); });
  document.querySelectorAll("svg.graph:not([data-drawn])").forEach((svg) => { svg.dataset.drawn = ""; graph(svg); });
}
draw();
