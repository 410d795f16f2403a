import { expressionBuilder, type CompiledQuery, type Expression } from 'kysely'

/** Stands for a value in a statement that is compiled for later values. As an expression it can be placed, not read. */
type Places<Values> = { readonly [Name in keyof Values]: Expression<Values[Name]> }

class Place {
  readonly row: number
  readonly name: string
  constructor(row: number, name: string) {
    this.row = row
    this.name = name
  }
}

interface Template {
  /** The names of the values of each row, in their order. */
  names: readonly (readonly string[])[]
  compiled: CompiledQuery
}

/** Statements with more rows are compiled every time, so that the texts that are kept stay few and short. */
const keptRowsLimit = 8

type Values = Readonly<Record<string, unknown>>

/**
 * A statement on a hot path: built and compiled once, because that takes longer than to send it. Its text depends only
 * on which values are given, so what is undefined is left out and has a text of its own.
 */
export function compileOnce<Given extends object>(
  build: (places: Places<Given>) => CompiledQuery,
): (values: Given) => CompiledQuery {
  const compile = compileRowsOnce<Given>(([places]) => {
    if (!places) throw new Error('a statement without values')
    return build(places)
  })
  return (values) => compile([values])
}

/** The same for several rows, with one text for each number of them. */
export function compileRowsOnce<Given extends object>(
  build: (rows: Places<Given>[]) => CompiledQuery,
): (rows: readonly Given[]) => CompiledQuery {
  const templates: Template[] = []
  return (rows) => {
    const given = rows as readonly Values[] // read by the names of their own properties only
    const known = templates.find(({ names }) => fits(names, given))
    if (known) return fill(known.compiled, given)
    const names = given.map(namesIn)
    const places = names.map(placesFor) as Places<Given>[] // one for each value that is given
    const template = { names, compiled: build(places) }
    if (given.length <= keptRowsLimit) templates.push(template)
    return fill(template.compiled, given)
  }
}

function fill({ query, queryId, sql, parameters }: CompiledQuery, given: readonly Values[]): CompiledQuery {
  const filled = parameters.map((parameter) =>
    parameter instanceof Place ? given[parameter.row]?.[parameter.name] : parameter,
  )
  return { query, queryId, sql, parameters: filled }
}

const fits = (names: Template['names'], given: readonly Values[]): boolean =>
  names.length === given.length && given.every((row, index) => hasNames(names[index] ?? [], row))

function hasNames(names: readonly string[], row: Values): boolean {
  let count = 0
  for (const name in row) {
    if (row[name] === undefined) continue
    if (names[count] !== name) return false
    count += 1
  }
  return count === names.length
}

const namesIn = (row: Values): string[] => Object.keys(row).filter((name) => row[name] !== undefined)

function placesFor(names: readonly string[], row: number): Record<string, Expression<unknown>> {
  const builder = expressionBuilder()
  return Object.fromEntries(names.map((name) => [name, builder.val(new Place(row, name))]))
}
