import type { Mutant } from './find-mutants.ts'

/** The name under which a worker keeps the question whether a mutant is the active one. */
export const switchName = '__isActiveMutant'

/** In place of a mutant: what fails under none has been disturbed by the trials before it. */
export const control = 'none'

interface Place {
  start: number
  end: number
  isStatement: boolean
  mutants: Mutant[]
}

/**
 * Builds all mutants into the text of their file, each behind a question that is asked at its place. A file is
 * transformed once, whatever the number of its mutants.
 */
export function instrument(text: string, path: string, mutants: readonly Mutant[]): string {
  const places = placesOf(mutants)
  const idOf = (mutant: Mutant): string => JSON.stringify(mutantId(path, mutant))
  const ask = (mutant: Mutant): string => `globalThis.${switchName}?.(${idOf(mutant)})`

  /** Renders the text between two positions; `next` is the first place that may lie there. */
  function render(start: number, end: number, next: { index: number }): string {
    let rendered = ''
    let position = start
    for (;;) {
      const place = places[next.index]
      if (!place || place.start >= end) return rendered + text.slice(position, end)
      next.index += 1
      rendered += text.slice(position, place.start)
      const original = render(place.start, place.end, next)
      rendered += place.isStatement ? renderStatement(place, original) : renderExpression(place, original)
      position = place.end
    }
  }

  const renderExpression = ({ mutants: choices }: Place, original: string): string =>
    `(${choices.map((mutant) => `${ask(mutant)} ? (${expressionOf(mutant).replacement}) : `).join('')}(${original}))`

  const renderStatement = ({ mutants: choices }: Place, original: string): string =>
    `{ if (${choices.map(ask).join(' || ')}) {} else { ${original} } }`

  return render(0, text.length, { index: 0 })
}

export const mutantId = (path: string, mutant: Pick<Mutant, 'number'>): string => `${path}#${mutant.number}`

const expressionOf = (mutant: Mutant) => mutant.expression ?? mutant

/** Outer places come before those within them; a statement before the expression that fills it. */
function placesOf(mutants: readonly Mutant[]): Place[] {
  const places = new Map<string, Place>()
  for (const mutant of mutants) {
    const { start, end } = expressionOf(mutant)
    const { isStatement } = mutant
    const key = `${start} ${end} ${isStatement}`
    const place = places.get(key) ?? { start, end, isStatement, mutants: [] }
    place.mutants.push(mutant)
    places.set(key, place)
  }
  return [...places.values()].toSorted(
    (a, b) => a.start - b.start || b.end - a.end || Number(b.isStatement) - Number(a.isStatement),
  )
}
