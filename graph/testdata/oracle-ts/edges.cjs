// Prints what TypeScript's own checker resolves in a tree, one use of a name a line, tab separated:
//
//	file, line, "call" or "mention", then for each declaration in the tree: file:line:name
//
// Usage: node edges.cjs FOLDER_OF_TYPESCRIPT ROOT OUTPUT
"use strict";
const fs = require("fs");
const path = require("path");
const ts = require(process.argv[2]);
const root = fs.realpathSync(process.argv[3]);

function sources(dir, out) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules") sources(full, out);
    } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts")) {
      out.push(full);
    }
  }
  return out;
}

const files = sources(root, []);
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
});
const checker = program.getTypeChecker();
const inTree = new Set(files);
const lineOf = (file, at) => file.getLineAndCharacterOfPosition(at).line + 1;

function isName(node) {
  const p = node.parent;
  return p && p.name === node && !ts.isPropertyAccessExpression(p) && !ts.isShorthandPropertyAssignment(p) && !ts.isMetaProperty(p);
}

function isCallee(node) {
  let p = node.parent;
  let at = node;
  if (ts.isPropertyAccessExpression(p) && p.name === node) {
    at = p;
    p = p.parent;
  }
  while (ts.isNonNullExpression(p) || ts.isExpressionWithTypeArguments(p)) {
    at = p;
    p = p.parent;
  }
  if (ts.isTaggedTemplateExpression(p)) return p.tag === at;
  return (ts.isCallExpression(p) || ts.isNewExpression(p)) && p.expression === at;
}

function declarations(node) {
  let symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const out = [];
  for (const d of (symbol && symbol.declarations) || []) {
    const file = d.getSourceFile();
    const name = ts.getNameOfDeclaration(d);
    if (name && inTree.has(file.fileName)) {
      out.push(`${path.relative(root, file.fileName)}:${lineOf(file, name.getStart())}:${name.getText()}`);
    }
  }
  return out;
}

const lines = [];
for (const file of program.getSourceFiles()) {
  if (!inTree.has(file.fileName)) continue;
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && !isName(node)) {
      const to = declarations(node);
      if (to.length > 0) {
        lines.push([path.relative(root, file.fileName), lineOf(file, node.getStart()), isCallee(node) ? "call" : "mention", ...to].join("\t"));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}
fs.writeFileSync(process.argv[4], lines.join("\n") + "\n");
