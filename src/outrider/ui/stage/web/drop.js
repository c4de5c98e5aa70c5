// Files and folders dropped on the scene: gathered, counted, sent to be imported.
const MOST_FILES = 500, MOST_BYTES = 200 * 1024 * 1024;

export class Drop {
  constructor(area, tell) {
    this.tell = tell;
    area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("or-dropping"); });
    area.addEventListener("dragleave", () => area.classList.remove("or-dropping"));
    area.addEventListener("drop", (event) => {
      event.preventDefault();
      area.classList.remove("or-dropping");
      this.take(event.dataTransfer);
    });
  }

  async take(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const files = entries.length ? await gathered(entries) : [...transfer.files].map((file) => [file.name, file]);
    const total = files.reduce((sum, [, file]) => sum + file.size, 0);
    if (!files.length) return;
    if (files.length > MOST_FILES || total > MOST_BYTES) {
      this.tell({ error: `${files.length} files of ${(total / 1e6).toFixed(0)} MB are more than the ${MOST_FILES} files and 200 MB allowed` });
      return;
    }
    const form = new FormData();
    for (const [name, file] of files) form.append("file", file, name);
    try {
      const answer = await fetch("/outrider/bring", { method: "POST", body: form });
      this.tell(answer.ok ? await answer.json() : { error: `refused (${answer.status})` });
    } catch (error) { this.tell({ error: String(error) }); }
  }
}

// All files below some entries, as [path, file]; one more than allowed is enough to know.
async function gathered(entries, found = []) {
  for (const entry of entries) {
    if (found.length > MOST_FILES) break;
    if (entry.isFile) found.push([entry.fullPath.replace(/^\//, ""), await new Promise((good, bad) => entry.file(good, bad))]);
    else await gathered(await listed(entry.createReader()), found);
  }
  return found;
}

async function listed(reader) {
  const all = [];
  for (;;) {
    const some = await new Promise((good, bad) => reader.readEntries(good, bad));
    if (!some.length || all.length > MOST_FILES) return all;
    all.push(...some);
  }
}
