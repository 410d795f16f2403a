import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from './app.ts'
import { noncePlace, registerReferenceHeaders } from './reference-page.ts'

const description = `One JSON API in front of many payment providers.

Every request carries both headers, \`Authorization\` and \`X-Api-Key\`; the one that is not used holds the literal
\`NONE\`. Money is a JSON number with a fractional part. Lists are paged by cursor;
with \`Accept: text/csv\` the whole list is returned as one CSV file.`

/** The sections of the reference page, in the order in which an integrator needs them. */
const sections = [
  'Payment initiation',
  'Payments',
  'Payout batches',
  'Payment links',
  'Transactions',
  'Analytics',
  'Exchange rates',
  'Networks',
  'Beneficiaries',
  'Bank validation',
  'Virtual accounts',
  'Escrow',
  'Webhooks',
  'API keys',
  'Disputes',
  'Exceptions',
  'Ledger',
  'Provider configurations',
  'Screening',
  'Provider webhooks',
  'Organisations',
  'Members',
  'Permissions',
  'Approvals',
  'Balances',
  'Fees',
  'Users',
  'Notifications',
  'Health',
]

const zodToJsonConfig = { target: 'draft-2020-12', unrepresentable: 'any' } as const

export interface DocumentedEvents {
  /** The `webhooks` section, by event type. */
  webhooks: Record<string, object>
  /** Components that the section refers to. */
  schemas: Record<string, object>
}

/** Serves OpenAPI 3.1, made from the Zod schemas that validate requests, and the reference page. */
export async function registerOpenApi(
  app: App,
  publicUrl: string,
  events: DocumentedEvents = { webhooks: {}, schemas: {} },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Switchyard', version: '1.0', description },
      servers: [{ url: publicUrl }],
      tags: sections.map((name) => ({ name })),
      webhooks: events.webhooks,
      components: {
        schemas: events.schemas,
        securitySchemes: {
          Authorization: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`Bearer <JWT>`, or `NONE` when an API key is sent.',
          },
          ApiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description: 'An API key, or `NONE` when a JWT is sent.',
          },
        },
      },
      security: [{ Authorization: [], ApiKey: [] }],
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig }),
  })
  app.get(
    '/openapi.json',
    {
      config: { access: { permission: 'public' } },
      schema: { hide: true, summary: 'Return the OpenAPI 3.1 document of the API' },
    },
    (_request, reply) => {
      // The document is public, and the reference page has an origin of its own.
      reply.header('access-control-allow-origin', '*')
      return app.swagger()
    },
  )
  registerReferenceHeaders(app)
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      nonce: noncePlace,
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      // The page has an origin of its own, from which a browser sends no request to the API.
      hideTestRequestButton: true,
      showDeveloperTools: 'never',
      authentication: {
        preferredSecurityScheme: [['Authorization', 'ApiKey']],
        securitySchemes: { Authorization: { value: 'NONE' } },
      },
    },
  })
}
