import type { Schema } from './open-api.ts'

/** A type of the API, free of any programming language. */
export type ApiType =
  | { readonly kind: 'text' | 'decimal' | 'integer' | 'boolean' | 'null' | 'unknown' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'list' | 'map'; readonly of: ApiType }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'union'; readonly variants: readonly ApiType[] }
  | { readonly kind: 'named'; readonly name: string }

export interface Field {
  readonly name: string
  readonly type: ApiType
  readonly isRequired: boolean
  readonly description: string | undefined
}

/** Turns the name of a component into the name of a type, which is then described elsewhere. */
type Refer = (component: string) => string

const simpleKinds: Readonly<Record<string, ApiType>> = {
  string: { kind: 'text' },
  // Every fractional number of the API is an amount, a rate or a share, and must not lose digits.
  number: { kind: 'decimal' },
  integer: { kind: 'integer' },
  boolean: { kind: 'boolean' },
  null: { kind: 'null' },
}

export function typeOf(schema: Schema, refer: Refer, where: string): ApiType {
  if (schema.$ref !== undefined) return { kind: 'named', name: refer(schema.$ref.split('/').at(-1) ?? '') }
  if (schema.allOf) throw new Error(`${where} has allOf, which the SDK's model does not describe`)
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (values) return valuesType(values, where)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return unionOf(variants.map((one, index) => typeOf(one, refer, `${where}|${index}`)))
  if (typeof schema.type === 'object')
    return unionOf(schema.type.map((type) => typeOf({ ...schema, type }, refer, where)))
  if (schema.type === 'array') return { kind: 'list', of: typeOf(schema.items ?? {}, refer, `${where}.*`) }
  if (schema.type === 'object') return objectType(schema, refer, where)
  if (schema.type === undefined) return { kind: 'unknown' }
  const simple = simpleKinds[schema.type]
  if (!simple)
    throw new Error(`${where} has the type ${schema.type}, which the SDK's model does not describe`)
  return simple
}

function valuesType(values: readonly unknown[], where: string): ApiType {
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length === values.length && texts.length > 1) return { kind: 'choice', values: texts }
  return unionOf(
    values.map((value): ApiType => {
      if (value === null) return { kind: 'null' }
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        return { kind: 'literal', value }
      throw new Error(`${where} lists a value that is neither text nor a number`)
    }),
  )
}

function unionOf(variants: readonly ApiType[]): ApiType {
  const flat = variants.flatMap((one) => (one.kind === 'union' ? one.variants : [one]))
  const byText = new Map(flat.map((one) => [JSON.stringify(one), one]))
  const has = (kind: ApiType['kind']): boolean => flat.some((one) => one.kind === kind)
  // A value that may be text or a number is whatever its owner put there, such as metadata: no amount.
  if (has('unknown') || (has('text') && has('decimal'))) return { kind: 'unknown' }
  const [first, ...others] = byText.values()
  if (!first) throw new Error('a union needs a variant')
  return others.length === 0 ? first : { kind: 'union', variants: [first, ...others] }
}

function objectType(schema: Schema, refer: Refer, where: string): ApiType {
  const { properties, additionalProperties: others } = schema
  if (!properties)
    return {
      kind: 'map',
      of: typeof others === 'object' ? typeOf(others, refer, `${where}.*`) : { kind: 'unknown' },
    }
  return {
    kind: 'object',
    fields: Object.entries(properties).map(([name, property]) => ({
      name,
      type: typeOf(property, refer, `${where}.${name}`),
      isRequired: schema.required?.includes(name) === true,
      description: property.description,
    })),
  }
}

/** The places of decimals inside a value, such as `rows.*.amount`. */
export function decimalPaths(type: ApiType, named: ReadonlyMap<string, ApiType>): string[] {
  const paths = new Set<string>()
  const visit = (one: ApiType, at: readonly string[], inside: readonly string[]): void => {
    if (one.kind === 'decimal') paths.add(at.join('.'))
    else if (one.kind === 'list' || one.kind === 'map') visit(one.of, [...at, '*'], inside)
    else if (one.kind === 'union') for (const variant of one.variants) visit(variant, at, inside)
    else if (one.kind === 'object')
      for (const field of one.fields) visit(field.type, [...at, field.name], inside)
    else if (one.kind === 'named') {
      if (inside.includes(one.name)) throw new Error(`${one.name} contains itself; its decimals have no end`)
      visit(named.get(one.name) ?? { kind: 'unknown' }, at, [...inside, one.name])
    }
  }
  visit(type, [], [])
  return [...paths]
}
