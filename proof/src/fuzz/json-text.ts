/** A change to one value of a body while it is serialised. */
export type Edit = {
  readonly at: number
  readonly how: 'replace' | 'drop' | 'twice' | 'add'
  readonly text: string
}

/** Serialises to JSON and applies the edits. Positions count values in order of writing, modulo their number. */
export function writeJson(value: unknown, edits: readonly Edit[]): string {
  const count = countValues(value)
  const byPlace = new Map(edits.map((edit) => [edit.at % count, edit]))
  let place = 0
  const write = (one: unknown): string => {
    const edit = byPlace.get(place++)
    const text = writeInner(one, edit)
    return edit?.how === 'replace' ? edit.text : text
  }
  const writeInner = (one: unknown, edit: Edit | undefined): string => {
    if (typeof one !== 'object' || one === null) return JSON.stringify(one) ?? 'null'
    const isList = Array.isArray(one)
    const parts = Object.entries(one).flatMap(([key, inner]) => {
      const innerEdit = byPlace.get(place)
      const label = isList ? '' : `${JSON.stringify(key)}:`
      const text = label + write(inner)
      if (innerEdit?.how === 'drop') return []
      return innerEdit?.how === 'twice' ? [text, label + innerEdit.text] : [text]
    })
    if (edit?.how === 'add') parts.push(isList ? edit.text : `"added":${edit.text}`)
    return isList ? `[${parts.join()}]` : `{${parts.join()}}`
  }
  return write(value)
}

const countValues = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : 1 + Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 0)
