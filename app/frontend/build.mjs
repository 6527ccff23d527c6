/*
 * Bundles the front end into app/static/ under names that carry a hash of their content, so that browsers may
 * keep them for ever, and writes manifest.json ({"app.css": "app-1A2B3C4D.css", ...}) for the asset() helper.
 *
 * The manifest is replaced last and in one step, and only then are files it no longer names deleted:
 * a server that reads it meanwhile finds every file it is told about.
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const source = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(source, "..", "..");
const target = path.resolve(process.argv[2] ?? path.join(root, "app", "static"));

const ENTRIES = ["app.css", "app.js", "sheet.js", "judge.js", "desk.js", "sign.js", "upload.js", "api-docs.js"];
const WORKER = "worker.js";
const PICTURES = ["icon.svg"];
const SWAGGER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE"];

async function bundle() {
  const result = await esbuild.build({
    absWorkingDir: source,
    entryPoints: ENTRIES,
    outdir: target,
    entryNames: "[name]-[hash]",
    chunkNames: "shared-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    // The browsers inside messaging apps lag behind: this level runs in all of the last five years.
    target: "es2020",
    minify: true,
    legalComments: "eof",
    charset: "utf8",
    metafile: true,
    logLevel: "warning",
  });
  const names = new Map();
  const outputs = new Map();
  for (const [output, detail] of Object.entries(result.metafile.outputs)) {
    const file = path.basename(output);
    outputs.set(file, detail);
    if (detail.entryPoint) {
      names.set(path.basename(detail.entryPoint), file);
    }
  }
  return { names, outputs };
}

/*
 * The service worker is one file by itself that lists what the tables' pages load, so that it changes whenever one of them
 * does, and browsers fetch it anew.
 */
async function bundleWorker(names, outputs) {
  const wanted = ["app.css", "app.js", "sheet.js"].map((name) => names.get(name));
  for (const file of wanted) {
    const { imports } = outputs.get(file);
    wanted.push(...imports.map(({ path: used }) => path.basename(used)).filter((used) => outputs.has(used) && !wanted.includes(used)));
  }
  const listed = [...wanted, names.get("icon.svg")].map((file) => `/static/${file}`).sort();
  const version = createHash("sha256").update(listed.join()).digest("hex").slice(0, 8);
  const result = await esbuild.build({
    absWorkingDir: source,
    entryPoints: [WORKER],
    outdir: target,
    entryNames: "[name]-[hash]",
    bundle: true,
    format: "iife",
    target: "es2020",
    minify: true,
    charset: "utf8",
    define: { __FILES__: JSON.stringify(listed), __VERSION__: JSON.stringify(version) },
    metafile: true,
    logLevel: "warning",
  });
  return path.basename(Object.keys(result.metafile.outputs)[0]);
}

async function copyHashed(name) {
  const content = await readFile(path.join(source, name));
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8).toUpperCase();
  const { name: stem, ext } = path.parse(name);
  const file = `${stem}-${hash}${ext}`;
  await writeFile(path.join(target, file), content);
  return file;
}

async function copySwagger() {
  const from = path.join(root, "node_modules", "swagger-ui-dist");
  await mkdir(path.join(target, "swagger-ui"), { recursive: true });
  for (const file of SWAGGER_FILES) {
    await copyFile(path.join(from, file), path.join(target, "swagger-ui", file));
  }
  return SWAGGER_FILES.map((file) => `swagger-ui/${file}`);
}

await mkdir(target, { recursive: true });
const { names, outputs } = await bundle();
const files = [...outputs.keys()];
for (const picture of PICTURES) {
  const file = await copyHashed(picture);
  names.set(picture, file);
  files.push(file);
}
const worker = await bundleWorker(names, outputs);
names.set(WORKER, worker);
files.push(worker);
for (const file of await copySwagger()) {
  names.set(file, file);
}

const manifest = Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
const draft = path.join(target, "manifest.json.new");
await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`);
await rename(draft, path.join(target, "manifest.json"));

const kept = new Set([...files, "manifest.json"]);
for (const entry of await readdir(target, { withFileTypes: true })) {
  const ours = /^[\w-]+-[0-9A-Z]{8}\.(css|js|svg)$/.test(entry.name);
  if (entry.isFile() && ours && !kept.has(entry.name)) {
    await rm(path.join(target, entry.name));
  }
}
