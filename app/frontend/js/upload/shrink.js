/*
 * A photo made smaller before it is sent: long side 2,600 pixels, JPEG, which reads an A4 page well and takes a
 * tenth of the bytes. What this browser cannot decode (HEIC outside Safari, a PDF) is sent as it is; so is a picture that
 * moves, and one that is small already. The server cleans every file anyway: this saves time and money, and decides nothing.
 */
import { isAnimated } from "./animation.js";

const LONG_SIDE = 2600;
const QUALITY = 0.86;

export async function shrink(file) {
  if (!file.type.startsWith("image/") && !/\.(jpe?g|png|webp|heic|heif)$/i.test(file.name ?? "")) return file;
  let picture;
  try {
    if (await isAnimated(file)) return file;
    picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return file;
  }
  try {
    const scale = Math.min(1, LONG_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const paper = canvas.getContext("2d");
    paper.fillStyle = "#fff"; // JPEG has no transparency
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.imageSmoothingQuality = "high";
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    canvas.width = canvas.height = 0; // phones give the memory back at once
    return made && made.type === "image/jpeg" && (scale < 1 || made.size < file.size) ? made : file;
  } catch {
    return file;
  } finally {
    picture.close();
  }
}
