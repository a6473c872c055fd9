// The search of the book: parts of pages, best first, each with the paragraph that has most of the words. It takes the
// place of Sphinx's search, and its stemmer and list of stop words from it; all data are in SEARCH_PARTS.
(() => {
  const MOST = 40, LENGTH = 320;
  const stemmer = new Stemmer(), stems = new Map();
  const stem = (word) => {
    if (!stems.has(word)) stems.set(word, stemmer.stemWord(word));
    return stems.get(word);
  };
  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_.]+|\.(?!\d)/u).filter(Boolean);
  const simple = (text) => words(text).join(" ");

  const prepare = () => Object.values(SEARCH_PARTS.pages).flatMap(([page, parts]) => parts.map(
    ([kind, title, address, paragraphs]) => ({
      page, kind, title, address, paragraphs,
      titleWords: words(title).map(stem), name: simple(title.replace(/^[\d.]+ /, "")),
      texts: paragraphs.map((text) => ({ words: words(text).map(stem), text: simple(text) })),
    })));
  let parts = null;

  const matches = (word, term) => word === term || (term.length > 3 && word.startsWith(term));
  // How well a part answers; 0 if a term is missing from it.
  const score = (part, terms, phrase) => {
    let total = 0;
    for (const term of terms) {
      const inTitle = part.titleWords.filter((word) => matches(word, term)).length;
      const inText = part.texts.reduce((sum, { words }) => sum + words.filter((word) => matches(word, term)).length, 0);
      if (!inTitle && !inText) return 0;
      total += 8 * Math.min(inTitle, 1) + Math.min(inText, 4);
    }
    if (part.name === phrase) total += part.kind === "term" ? 60 : 40;
    else if (part.name.startsWith(phrase) || part.titleWords.join(" ").startsWith(terms.join(" "))) total += 15;
    if (part.kind === "term" && part.titleWords.length) total += 3;
    if (terms.length > 1 && part.texts.some(({ text }) => text.includes(phrase))) total += 6;
    return total;
  };

  // The paragraph with most of the terms, from its first hit on, never cut within a formula.
  const excerpt = (part, terms) => {
    const hits = part.texts.map(({ words }) => terms.filter((term) => words.some((word) => matches(word, term))).length);
    const best = part.paragraphs[hits.indexOf(Math.max(...hits))] || "";
    const pieces = best.split(/(\\\(.*?\\\)|\s+)/).filter(Boolean);
    const first = pieces.findIndex((piece) => words(piece).some((word) => terms.some((term) => matches(stem(word), term))));
    let start = Math.max(first, 0), before = 0;
    while (start > 0 && before < LENGTH / 3) before += pieces[--start].length;
    let end = start, length = 0;
    while (end < pieces.length && length < LENGTH) length += pieces[end++].length;
    return [...(start ? ["… "] : []), ...pieces.slice(start, end), ...(end < pieces.length ? [" …"] : [])];
  };

  const element = (tag, name, ...children) => {
    const node = document.createElement(tag);
    if (name) node.className = name;
    node.append(...children);
    return node;
  };
  const shown = (text, terms) => text.split(/(\\\(.*?\\\)|\s+)/).filter(Boolean).map((piece) => {
    if (piece.startsWith("\\(")) return element("span", "math", piece);
    const hit = words(piece).some((word) => terms.some((term) => matches(stem(word), term)));
    return hit ? element("mark", "", piece) : piece;
  });

  const find = (query) => {
    const all = words(query);
    const telling = all.filter((word) => !stopwords.includes(word));
    const terms = (telling.length ? telling : all).map(stem), phrase = all.join(" ");
    if (!terms.length) return { terms, found: [] };
    const found = parts.map((part) => [score(part, terms, phrase), part]).filter(([points]) => points > 0);
    return { terms, found: found.sort(([a], [b]) => b - a) };
  };

  const show = (query) => {
    parts ??= prepare();
    const place = document.getElementById("search-results");
    const said = Object.entries(SEARCH_PARTS.synonyms).find(([word]) => word === simple(query) || word === query.trim().toLowerCase());
    let { terms, found } = find(query), note = "";
    if (said) {
      const other = find(said[1]);
      note = `The book says “${said[1]}”. `;
      found = [...other.found, ...found.filter(([, part]) => !other.found.some(([, one]) => one === part))];
      terms = [...terms, ...other.terms];
    }
    const count = found.length === 1 ? "1 place" : `${found.length} places`;
    const many = found.length > MOST ? `, the best ${MOST} of which are shown` : "";
    const summary = found.length ? `${note}Found in ${count}${many}.` : `${note}Nothing was found. Try fewer words, or look into the index.`;
    const list = element("ul", "search sga-search");
    for (const [, part] of found.slice(0, MOST)) {
      const link = element("a", "", ...shown(part.title, []));
      link.href = part.address;
      const where = part.title === part.page ? [] : [element("span", "sga-where", part.page)];
      list.append(element("li", "", link, ...where, element("p", "context", ...excerpt(part, terms).flatMap((text) => shown(text, terms)))));
    }
    place.replaceChildren(element("p", "search-summary", summary), list);
    MathJax.startup.promise.then(() => MathJax.typesetPromise([list]));
  };
  Search.performSearch = show;
})();
