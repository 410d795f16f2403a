import type { ApiType, Field } from './types.ts'

/** Requests take numbers for decimals and known choices only; answers have text, and choices that may grow. */
export type Side = 'input' | 'output'

/** Names that mean something else wherever the types are imported. */
const renamed: Readonly<Record<string, string>> = { Event: 'EventRecord', Error: 'ErrorBody' }

export const typeName = (name: string): string => renamed[name] ?? name

export const commentOf = (...lines: readonly (string | undefined)[]): string => {
  const text = lines.filter((line) => line !== undefined && line.trim() !== '').join('\n\n')
  if (text === '') return ''
  const body = text.replaceAll('*/', '* /').split('\n')
  return body.length === 1
    ? `/** ${body[0]} */\n`
    : `/**\n${body.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

/** A declaration: an interface for an object, an alias for anything else. */
export const printDeclaration = (name: string, type: ApiType, side: Side): string =>
  type.kind === 'object'
    ? `export interface ${name} ${printType(type, side)}\n`
    : `export type ${name} = ${printType(type, side)}\n`

export function printType(type: ApiType, side: Side): string {
  switch (type.kind) {
    case 'text':
      return 'string'
    case 'decimal':
      return side === 'input' ? 'DecimalInput' : 'Decimal'
    case 'integer':
      return 'number'
    case 'boolean':
    case 'null':
    case 'unknown':
      return type.kind
    case 'literal':
      return JSON.stringify(type.value)
    case 'choice':
      return [
        ...type.values.map((value) => JSON.stringify(value)),
        ...(side === 'output' ? ['(string & {})'] : []),
      ].join(' | ')
    case 'list':
      return side === 'input' ? `readonly (${printType(type.of, side)})[]` : `(${printType(type.of, side)})[]`
    case 'map':
      return `Record<string, ${printType(type.of, side)}>`
    case 'object':
      return printObject(type.fields, [], side)
    case 'named':
      return typeName(type.name)
    case 'union':
      return printUnion(type.variants, side)
  }
}

/** A field that only another variant has is readable as undefined, so that code can tell the variants apart by it. */
function printUnion(variants: readonly ApiType[], side: Side): string {
  const objects = variants.filter((one) => one.kind === 'object')
  const names = new Set(objects.flatMap(({ fields }) => fields.map(({ name }) => name)))
  return variants
    .map((variant) => {
      if (variant.kind !== 'object' || side === 'input') return printType(variant, side)
      const own = new Set(variant.fields.map(({ name }) => name))
      return printObject(variant.fields, [...names.difference(own)], side)
    })
    .join(' | ')
}

function printObject(fields: readonly Field[], absent: readonly string[], side: Side): string {
  const lines = fields.map(({ name, type, isRequired, description }) => {
    const optional = side === 'input' ? ' | undefined' : ''
    const printed = printType(type, side)
    return `${commentOf(description)}${propertyName(name)}${isRequired ? `: ${printed}` : `?: ${printed}${optional}`}`
  })
  return `{\n${[...lines, ...absent.map((name) => `${propertyName(name)}?: undefined`)].join('\n')}\n}`
}

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

/** The names that a type refers to, directly and through other types. */
export function namesIn(
  types: readonly ApiType[],
  named: ReadonlyMap<string, ApiType>,
  found = new Set<string>(),
): Set<string> {
  for (const type of types) {
    if (type.kind === 'named' && !found.has(type.name)) {
      found.add(type.name)
      namesIn([named.get(type.name) ?? { kind: 'unknown' }], named, found)
    } else if (type.kind === 'list' || type.kind === 'map') namesIn([type.of], named, found)
    else if (type.kind === 'union') namesIn(type.variants, named, found)
    else if (type.kind === 'object')
      namesIn(
        type.fields.map((field) => field.type),
        named,
        found,
      )
  }
  return found
}

/** Whether a type is short enough to be written where it is used. */
export function isShort(type: ApiType): boolean {
  if (type.kind === 'list' || type.kind === 'map') return isShort(type.of)
  if (type.kind === 'union') return type.variants.every(isShort)
  return type.kind !== 'object' && type.kind !== 'choice'
}
