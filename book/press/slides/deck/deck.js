/* Starts a deck: typesets its formulas, fits each slide into its frame, then hands over to reveal.js. */
(() => {
  const SMALLEST = 0.4, STEP = 0.04, PICTURE = 320, FOOT = 44;

  const shrink = (element, fits) => {
    for (let size = 1; !fits() && size > SMALLEST; size -= STEP) element.style.setProperty("--size", size - STEP);
  };

  const fit = slide => {
    slide.querySelectorAll(":scope mjx-container[display]").forEach(formula => {
      const frame = formula.parentElement;
      shrink(frame, () => frame.scrollWidth <= frame.clientWidth);
    });
    const picture = slide.querySelector("img");
    const parts = [...slide.children].filter(part => !part.matches("aside, .running"));
    shrink(slide, () =>
      parts.every(part => part.offsetTop + part.offsetHeight <= slide.clientHeight - FOOT) &&
      slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth &&
      (!picture || picture.clientHeight >= PICTURE));
  };

  const start = async () => {
    await MathJax.startup.defaultPageReady();
    await document.fonts.ready;
    document.querySelectorAll(".slides > section").forEach(fit);
    await Reveal.initialize({
      width: 1280, height: 720, margin: 0, center: false, display: "flex", hash: true, slideNumber: "c/t", controls: false,
      transition: "none", backgroundTransition: "none", pdfMaxPagesPerSlide: 1, plugins: [RevealNotes],
    });
  };

  window.MathJax.startup = { pageReady: start };
})();
