import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from './app.ts'

const description = `One JSON API in front of many payment providers.

Every request carries both headers, \`Authorization\` and \`X-Api-Key\`; the one not used holds the literal
\`NONE\`. Money is a JSON number with a fractional part. Lists are paged by cursor;
with \`Accept: text/csv\` the same list comes as one CSV file.`

/** In the order in which an integrator meets them. */
const sections = [
  'Payment initiation',
  'Payments',
  'Payment links',
  'Transactions',
  'Analytics',
  'Exchange rates',
  'Networks',
  'Beneficiaries',
  'Webhooks',
  'API keys',
  'Exceptions',
  'Provider configurations',
  'Provider webhooks',
  'Organisations',
  'Members',
  'Permissions',
  'Approvals',
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

/** OpenAPI 3.1 from the same Zod schemas that validate, and the reference page, all from this process. */
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
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      authentication: {
        preferredSecurityScheme: [['Authorization', 'ApiKey']],
        securitySchemes: { Authorization: { value: 'NONE' } },
      },
    },
  })
}
