import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import type { Access } from '../auth/access.ts'

interface DescribedRoute {
  schema: FastifySchema & { description?: string }
  url: string
}

/** Ends the description of an operation with what its caller needs, which the route declares anyway. */
export function describeAccess<Route extends DescribedRoute>(
  route: Route,
  access: Access | undefined,
): Route {
  const { description } = route.schema
  if (!access || access.permission === 'public' || description === undefined) return route
  return {
    ...route,
    schema: {
      ...route.schema,
      description: `${description}\n\n${needs(access)}`,
      'x-switchyard-access': access,
    },
  }
}

/** The converter calls every body required; completeDocument reads this mark and removes it. */
export const optionalBodyMark = 'x-switchyard-optional-body'

export const markOptionalBody = <Route extends DescribedRoute>(route: Route, body: unknown): Route =>
  body instanceof z.ZodType && body.safeParse(undefined).success
    ? { ...route, schema: { ...route.schema, [optionalBodyMark]: true } }
    : route

function needs({ permission, feature, credentials }: Access): string {
  const who = permission === 'member' ? 'Any member may call it' : `Needs the permission \`${permission}\``
  const withFeature = feature === undefined ? '' : ` and the feature \`${feature}\``
  const names = { api_key: 'an API key', jwt: 'a JWT', payment_link: 'a payment link', session: 'a session' }
  const kinds = credentials?.map((kind) => names[kind]).join(' or ')
  return `${who}${withFeature}${kinds === undefined ? '' : `, with ${kinds}`}.`
}
