"""Sphinx extension: claims as objects that every page, the search and other books can point to.

myst-nb shows a record by `evidence.render`, the entry point of the library; here the claims that it leaves in a page
are noted, and `{claim}`B4`` leads to one from anywhere.
"""

from pathlib import Path

from docutils import nodes
from myst_nb.core.render import load_mime_renders
from sphinx import addnodes
from sphinx.domains import Domain, ObjType
from sphinx.errors import ExtensionError
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode

from evidence import Verdict
from evidence.render import Records
from press.claims import book_claims
from press.structure import toc_notebooks


def claims_of(env):
    """Returns the claims of the book; the page that is being read depends on them from then on."""
    if "book_claims" not in env.temp_data:
        root = Path(env.app.srcdir)
        for path in (root / "_toc.yml", *toc_notebooks(root)):
            env.note_dependency(str(path))
        env.temp_data["book_claims"] = book_claims(root)
    return env.temp_data["book_claims"]


def claim_link(env, name):
    """Returns a link to the place where the claim `name` is made."""
    target = {"refdomain": "evidence", "reftype": "claim", "reftarget": name, "refdoc": env.docname}
    return addnodes.pending_xref("", nodes.inline("", name), refwarn=True, **target)


class ClaimRole(XRefRole):
    """`{claim}`B4``: a link to the claim with its verdict, if that is not "passed"; an unknown id is a warning."""

    def __init__(self):
        """A role that shows the id as text and warns if there is no such claim."""
        super().__init__(innernodeclass=nodes.inline, warn_dangling=True)

    def run(self):
        """Returns the link and the verdict; the short name of the role means the same as its full one."""
        self.name = "evidence:claim"
        return super().run()

    def result_nodes(self, document, env, node, is_ref):
        """Returns the link, with the verdict behind it."""
        verdicts = {claim.id: claim.verdict for claim in claims_of(env)}
        verdict = verdicts.get(node["reftarget"], Verdict.PASSED)
        return [node, *([] if verdict == Verdict.PASSED else [nodes.Text(f" ({verdict})")])], []


class EvidenceDomain(Domain):
    """The domain of claims: each is made on one page."""

    name = "evidence"
    label = "Evidence"
    object_types = {"claim": ObjType("claim", "claim")}  # noqa: RUF012
    roles = {"claim": ClaimRole()}  # noqa: RUF012
    initial_data = {"claims": {}}  # noqa: RUF012
    dangling_warnings = {"claim": "there is no claim %(target)s in the book"}  # noqa: RUF012

    @property
    def claims(self):
        """The page of every claim, by id."""
        return self.data["claims"]

    def process_doc(self, env, docname, document):
        """Notes the claims made on a page."""
        self.claims.update({node["claim"]: docname for node in document.findall(_is_claim)})

    def clear_doc(self, docname):
        """Forgets the claims made on a page."""
        self.data["claims"] = {name: page for name, page in self.claims.items() if page != docname}

    def merge_domaindata(self, docnames, otherdata):
        """Takes over the claims that another process has noted on some pages."""
        self.claims.update({name: page for name, page in otherdata["claims"].items() if page in docnames})

    def resolve_xref(self, env, fromdocname, builder, typ, target, node, contnode):
        """Returns the reference to a claim, or None if there is no such claim."""
        if target not in self.claims:
            return None
        return make_refnode(builder, fromdocname, self.claims[target], f"claim-{target}", contnode)

    def resolve_any_xref(self, env, fromdocname, builder, target, node, contnode):
        """Returns nothing: a claim is named by its role alone."""
        return []

    def get_objects(self):
        """Returns all claims, for the inventory of objects and for the search."""
        return [(name, name, "claim", page, f"claim-{name}", 1) for name, page in self.claims.items()]


def _is_claim(node):
    return isinstance(node, nodes.container) and "claim" in node


def require_renderer(app):
    """Raises ExtensionError if the installed library does not offer its renderer to myst-nb."""
    if Records not in load_mime_renders():
        raise ExtensionError("the library is installed without its renderer of records: pip install -e ./lib")


def setup(app):
    """Registers the domain, and its role under its short name."""
    app.connect("builder-inited", require_renderer)
    app.add_domain(EvidenceDomain)
    app.add_role("claim", ClaimRole())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
