import type { Access } from '../../src/http/auth/access.ts'
import type { App } from '../../src/http/app.ts'
import { buildServer, type RegisteredRoute } from '../../src/http/server.ts'
import { apiRoutes } from '../../src/main/routes.ts'
import { sampleOf, type JsonSchema, type SampleOptions } from './sample.ts'
import type { CallOptions, TestApp } from '../app/test-app.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: JsonSchema
}

/** A route as the server registered it, with what its OpenAPI entry says about requests. */
export interface RouteUnderTest {
  /** For example `GET /v1/users/:user_id`. */
  name: string
  method: string
  path: string
  access: Access
  pathNames: string[]
  parameters: Parameter[]
  body: JsonSchema | undefined
}

/** Every route that the server registers, so that a new route is covered without being listed anywhere. */
export async function collectRoutes(t: TestApp): Promise<RouteUnderTest[]> {
  const { paths = {} } = openApiOf(t)
  const routes: RouteUnderTest[] = []
  await registerEveryRoute(t, apiRoutes(t.deps), ({ method, path, access }) => {
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
    routes.push({
      name: `${method} ${path}`,
      method,
      path,
      access,
      pathNames: [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ''),
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content?.['application/json']?.schema,
    })
  })
  return routes
}

/** Builds a server that never listens, in order to see what is registered on it. */
export async function registerEveryRoute(
  t: TestApp,
  registerRoutes: (server: App) => void,
  onRoute?: (route: RegisteredRoute) => void,
): Promise<void> {
  const app = await buildServer(
    t.deps,
    {
      publicUrl: t.config.PUBLIC_URL,
      bodyLimitBytes: t.config.BODY_LIMIT_BYTES,
      trustProxy: [],
      rateLimit: { perSecond: 1, burst: 1 },
      ...(onRoute && { onRoute }),
    },
    registerRoutes,
  )
  await app.close()
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: JsonSchema }> }
}
interface OpenApi {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, JsonSchema> }
}
const openApiOf = (t: TestApp): OpenApi => t.app.swagger() as OpenApi // an OpenAPI 3.1 document

const resolver =
  (t: TestApp) =>
  (reference: string): JsonSchema => {
    const found = openApiOf(t).components?.schemas?.[reference.split('/').at(-1) ?? '']
    if (!found) throw new Error(`OpenAPI has no ${reference}`)
    return found
  }

export type Place = 'path' | 'query' | 'body'

interface RequestChoices {
  /** Supplies ids; undefined leaves the value to the schema. */
  valueFor: (place: Place, name: string) => string | undefined
  /** Optional properties that the body must include. */
  wanted?: ReadonlySet<string>
  ofEnum?: SampleOptions['ofEnum']
}

/** A request that fits the route's schema. */
export function requestTo(
  t: TestApp,
  route: RouteUnderTest,
  { valueFor, wanted, ofEnum }: RequestChoices,
): { path: string; options: Pick<CallOptions, 'body'> } {
  const resolve = resolver(t)
  const plain: SampleOptions = { resolve, valueFor: () => undefined }
  const path = route.path.replaceAll(/:(\w+)/g, (_match, name: string) => {
    const schema = route.parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {}
    return encodeURIComponent(valueFor('path', name) ?? String(sampleOf(schema, plain)))
  })
  const query = new URLSearchParams()
  for (const { name, required, schema = {} } of queryOf(route)) {
    const value = valueFor('query', name)
    if (value !== undefined) query.set(name, value)
    else if (required === true && schema.default === undefined)
      query.set(name, String(sampleOf(schema, plain)))
  }
  const body =
    route.body &&
    sampleOf(route.body, {
      resolve,
      valueFor: (name) => valueFor('body', name),
      wants: (name) => wanted?.has(name) === true,
      ...(ofEnum && { ofEnum }),
    })
  return {
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    options: body === undefined ? {} : { body },
  }
}

export const queryOf = (route: RouteUnderTest): Parameter[] =>
  route.parameters.filter((parameter) => parameter.in === 'query')

/** The names of properties that a body may have, at any depth. */
export function namesInBody(t: TestApp, route: RouteUnderTest): string[] {
  const names = new Set<string>()
  const resolve = resolver(t)
  const visit = (schema: JsonSchema | undefined): void => {
    if (!schema) return
    if (schema.$ref !== undefined) visit(resolve(schema.$ref))
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      names.add(name)
      visit(property)
    }
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      visit(part)
    visit(schema.items)
  }
  visit(route.body)
  return [...names]
}
