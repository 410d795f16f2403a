import { LIMITS } from '../limits.ts'

/** Brackets nest: `a[b]=1` is `{a: {b: '1'}}`, `a[]=1&a[]=2` and `a[0]=1&a[1]=2` are `{a: ['1', '2']}`. */
type FormValue = string | FormValue[] | { [name: string]: FormValue }

type FormNode = Map<string, FormNode | string>

export function parseForm(text: string): { [name: string]: FormValue } | undefined {
  const root: FormNode = new Map()
  let fields = 0
  for (const [name, value] of new URLSearchParams(text)) {
    fields += 1
    const path = [
      name.split('[', 1)[0] ?? '',
      ...[...name.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? ''),
    ]
    if (fields > LIMITS.formFields || path.length > LIMITS.formDepth || !place(root, path, value))
      return undefined
  }
  return Object.fromEntries([...root].map(([name, node]) => [name, unfold(node)]))
}

/** Returns false if a name is used both as text and as a group. */
function place(root: FormNode, path: readonly string[], value: string): boolean {
  let node = root
  for (const [index, part] of path.entries()) {
    const name = part === '' ? String(node.size) : part
    if (index === path.length - 1) {
      node.set(name, value)
      return true
    }
    const child = node.get(name) ?? new Map<string, FormNode | string>()
    if (typeof child === 'string') return false
    node.set(name, child)
    node = child
  }
  return true
}

function unfold(node: FormNode | string): FormValue {
  if (typeof node === 'string') return node
  const isList = [...node.keys()].every((name, index) => name === String(index))
  if (isList) return [...node.values()].map(unfold)
  return Object.fromEntries([...node].map(([name, child]) => [name, unfold(child)]))
}
