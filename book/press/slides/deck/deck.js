/* Starts a deck: typesets its formulas, fits each slide into its frame, then hands over to reveal.js. */
(() => {
  // A picture has as many of its own pixels as a frame of 1920 pixels shows, so it is never enlarged there.
  const SMALLEST = 0.4, STEP = 0.04, PICTURE = 320, FOOT = 44, SHARP = 1920 / 1280;

  const shrink = (element, fits) => {
    for (let size = 1; !fits() && size > SMALLEST; size -= STEP) element.style.setProperty("--size", size - STEP);
  };

  const fit = slide => {
    slide.querySelectorAll(":scope mjx-container[display]").forEach(formula => {
      const frame = formula.parentElement;
      shrink(frame, () => frame.scrollWidth <= frame.clientWidth);
    });
    const picture = slide.querySelector("img");
    if (picture) picture.style.maxHeight = `${picture.naturalHeight / SHARP}px`;
    if (picture) picture.style.maxWidth = `${picture.naturalWidth / SHARP}px`;
    const least = picture ? Math.min(PICTURE, picture.naturalHeight / SHARP) : 0;
    const parts = [...slide.children].filter(part => !part.matches("aside, .running"));
    shrink(slide, () =>
      parts.every(part => part.offsetTop + part.offsetHeight <= slide.clientHeight - FOOT) &&
      slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth &&
      (!picture || picture.clientHeight >= least - 1));
  };

  const start = async () => {
    await MathJax.startup.defaultPageReady();
    await document.fonts.ready;
    await Promise.all([...document.images].map(image => image.decode()));
    // The window with the notes has no styles of MathJax; browsers show MathML by themselves.
    document.querySelectorAll("aside.notes mjx-container").forEach(formula =>
      formula.replaceWith(formula.querySelector("math") ?? ""));
    document.querySelectorAll(".slides > section").forEach(fit);
    await Reveal.initialize({
      width: 1280, height: 720, margin: 0, center: false, display: "flex", hash: true, slideNumber: "c/t", controls: false,
      transition: "none", backgroundTransition: "none", pdfMaxPagesPerSlide: 1, plugins: [RevealNotes],
    });
  };

  window.MathJax.startup = { pageReady: start };
})();
