export type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number }

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

export function fieldOf(node: SyntaxNode, name: string): unknown {
  return Object.entries(node).find(([key]) => key === name)?.[1]
}

export function nodeOf(node: SyntaxNode, name: string): SyntaxNode | undefined {
  const value = fieldOf(node, name)
  return isNode(value) ? value : undefined
}

export function nodesOf(node: SyntaxNode, name: string): SyntaxNode[] {
  const value = fieldOf(node, name)
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function nameOf(node: SyntaxNode | undefined): string | undefined {
  const name = node && fieldOf(node, 'name')
  return typeof name === 'string' ? name : undefined
}

/** The text of a string literal or of a template, with `${}` for each placeholder. */
export function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Literal') {
    const value = fieldOf(node, 'value')
    return typeof value === 'string' ? value : undefined
  }
  if (node.type === 'TSLiteralType') {
    const literal = nodeOf(node, 'literal')
    return literal && textOf(literal)
  }
  if (node.type !== 'TemplateLiteral') return undefined
  return nodesOf(node, 'quasis').map(cookedText).join('${}')
}

export function walk(value: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit)
    return
  }
  if (!isNode(value)) return
  visit(value)
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null) walk(child, visit)
  }
}

function cookedText(quasi: SyntaxNode): string {
  const value = fieldOf(quasi, 'value')
  const isCooked = typeof value === 'object' && value !== null && 'cooked' in value
  return isCooked && typeof value.cooked === 'string' ? value.cooked : ''
}
