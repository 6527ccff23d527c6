/* The API's documentation page: Swagger UI from local files; the address of the description stands in the page. */
window.addEventListener("load", () => {
  const place = document.getElementById("api-docs");
  window.SwaggerUIBundle({
    domNode: place,
    url: place.dataset.spec,
    deepLinking: true,
    presets: [window.SwaggerUIBundle.presets.apis],
    validatorUrl: null,
  });
});
