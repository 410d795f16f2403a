import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ErrorDetail } from '../../lib/errors.ts'
import { nearest } from '../../lib/names/nearest.ts'
import { branchesOf, shapeOf, type Shape } from '../../lib/requests/request-shape.ts'
import { listOf } from '../../lib/text/sentences.ts'
import type { App } from '../app.ts'
import { invalidRequest } from './validator.ts'

const nothing = z.object({})
const listedLimit = 40
/** A longer name is cut off in the message. */
const nameLimit = 60

/**
 * Refuses fields and query parameters that the route's schemas do not have, because a mistyped one would be ignored.
 * Public routes are exempt: customers' browsers and providers add parameters of their own to them.
 */
export function registerUnknownFields(app: App): void {
  app.addHook('preValidation', async (request) => {
    if (!request.isAuthenticated) return
    const details = [
      ...unknownIn(schemaOf(request, 'querystring'), request.query, 'parameter'),
      ...unknownIn(schemaOf(request, 'body'), request.body, 'field'),
    ]
    if (details.length > 0) throw invalidRequest(details)
  })
}

/** A route without a schema takes nothing. */
const schemaOf = (
  { routeOptions: { schema } }: FastifyRequest,
  part: 'querystring' | 'body',
): z.core.$ZodType =>
  // Every schema of ours is Zod's.
  (schema?.[part] as z.core.$ZodType | undefined) ?? nothing

type Noun = 'field' | 'parameter'

export function unknownIn(schema: z.core.$ZodType, value: unknown, noun: Noun): ErrorDetail[] {
  if (typeof value !== 'object' || value === null) return []
  const root = shapeOf(schema)
  return unknownAt(root, value, { root, noun, path: [] })
}

interface Place {
  root: Shape
  noun: Noun
  path: readonly string[]
}

/**
 * Of a union, the caller means the branch whose constants, such as its `type`, are in the value, and then the one with
 * the fewest unknown fields, as deep inside as possible.
 */
function unknownAt(shape: Shape | boolean | undefined, value: unknown, place: Place): ErrorDetail[] {
  if (typeof value !== 'object' || value === null) return []
  const type = Array.isArray(value) ? 'array' : 'object'
  const branches = branchesOf(shape, place.root)
  // A shape without a type takes anything, and a value of the wrong type is the validator's to refuse.
  if (branches.some((branch) => branch.type === undefined)) return []
  const found = branches
    .filter((branch) => branch.type === type)
    .map((branch) => ({
      details: Array.isArray(value) ? inList(branch, value, place) : inObject(branch, value, place),
      contradictions: contradictionsIn(branch, value),
    }))
  const [meant] = found.toSorted(
    (a, b) =>
      a.contradictions - b.contradictions ||
      a.details.length - b.details.length ||
      depthOf(b.details) - depthOf(a.details),
  )
  return meant?.details ?? []
}

const contradictionsIn = ({ properties = {} }: Shape, value: object): number =>
  Object.entries(value).filter(([name, inner]) => {
    const { const: constant } = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {}
    return constant !== undefined && constant !== inner
  }).length

const depthOf = (details: readonly ErrorDetail[]): number =>
  Math.max(0, ...details.map(({ path }) => path.split('.').length))

const inList = (shape: Shape, values: readonly unknown[], place: Place): ErrorDetail[] =>
  values.flatMap((value, index) =>
    unknownAt(shape.prefixItems?.[index] ?? shape.items, value, {
      ...place,
      path: [...place.path, String(index)],
    }),
  )

function inObject(shape: Shape, value: object, place: Place): ErrorDetail[] {
  const known = shape.properties ?? {}
  const isFree = shape.additionalProperties !== undefined && shape.additionalProperties !== false
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = [...place.path, name.slice(0, nameLimit)]
    if (Object.hasOwn(known, name)) return unknownAt(known[name], inner, { ...place, path })
    if (isFree) return unknownAt(shape.additionalProperties, inner, { ...place, path })
    return [{ path: path.join('.'), message: describe(path, Object.keys(known), place.noun) }]
  })
}

function describe(path: readonly string[], known: readonly string[], noun: Noun): string {
  const near = nearest(path.at(-1) ?? '', known)
  const subject = `${path.join('.')} is not a ${noun} of ${path.length > 1 ? path.slice(0, -1).join('.') : 'this request'}`
  if (near !== undefined) return `${subject}; did you mean ${near}?`
  if (known.length === 0) return `${subject}, which has none.`
  return `${subject}. It has ${listOf(known.slice(0, listedLimit), known.length > listedLimit ? 'and, among others,' : 'and')}.`
}
