import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { nearest } from '../../lib/names/nearest.ts'
import { listOf } from '../../lib/text/sentences.ts'
import type { App } from '../app.ts'
import { renderError } from './error-handler.ts'
import { isReferencePage } from '../reference/reference-page.ts'

interface KnownPath {
  /** As the reference writes it: `/v1/payments/{payment_id}`. */
  written: string
  parts: readonly string[]
  methods: Set<string>
}

/** Answers a request that no route serves: 405 where the path has other methods, else 404 with the nearest path. */
export function registerUnknownPath(app: App): void {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ method: methods, url, schema }) => {
    if (isReferencePage(url) || schema?.hide === true) return
    const path = known.get(url) ?? toKnownPath(url)
    for (const method of [methods].flat()) path.methods.add(method)
    known.set(url, path)
  })
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf([...known.values()], pathOf(request))
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    return renderError(
      methods.length > 0 ? wrongMethod(request.method, methods) : unknownPath([...known.values()], request),
      request,
      reply,
    )
  })
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

const toKnownPath = (url: string): KnownPath => ({
  written: url.replaceAll(/:(\w+)/g, '{$1}'),
  parts: url.split('/'),
  methods: new Set(),
})

const methodsOf = (known: readonly KnownPath[], path: string): string[] => {
  const parts = path.split('/')
  const fitting = known.filter((one) => fits(one.parts, parts, (part, given) => part === given))
  return [...new Set(fitting.flatMap((one) => [...one.methods]))].toSorted()
}

const fits = (
  parts: readonly string[],
  given: readonly string[],
  isSame: (part: string, given: string) => boolean,
): boolean =>
  parts.length === given.length &&
  parts.every((part, index) => part.startsWith(':') || isSame(part, given[index] ?? ''))

const wrongMethod = (method: string, methods: readonly string[]): AppError =>
  new AppError(
    'METHOD_NOT_ALLOWED',
    405,
    `This path has no method ${method}. It has ${listOf(methods, 'and')}.`,
  )

function unknownPath(known: readonly KnownPath[], request: FastifyRequest): AppError {
  const near = nearestPath(known, pathOf(request))
  const hint = near === undefined ? 'The reference at /docs lists every path.' : `Did you mean ${near}?`
  return new AppError('NOT_FOUND', 404, `This path does not exist. ${hint}`)
}

/** Segment by segment, so that the ids in a path are not compared; else by the whole path without its ids. */
function nearestPath(known: readonly KnownPath[], path: string): string | undefined {
  const given = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  const bySegment = known.find((one) =>
    fits(one.parts, given, (part, other) => part === other || nearest(other, [part]) !== undefined),
  )
  if (bySegment) return bySegment.written
  const withVersion = path.startsWith('/v1/')
    ? undefined
    : known.find((one) => fits(one.parts, `/v1${path}`.split('/'), Object.is))
  return (
    withVersion?.written ??
    nearest(
      path,
      known.map(({ written }) => written),
    )
  )
}
