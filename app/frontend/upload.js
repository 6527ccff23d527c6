/* The upload fields of a page (templates/components/upload.html): see js/upload/field.js. */
import { Field } from "./js/upload/field.js";

for (const element of document.querySelectorAll("fieldset[data-upload]")) new Field(element).start();
