import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from './app.ts'

const description = `One JSON API in front of many payment providers.

Every request carries both headers, \`Authorization\` and \`X-Api-Key\`; the one not used holds the literal
\`NONE\`. Money is a JSON number with a fractional part. Lists are paged by cursor.`

const zodToJsonConfig = { target: 'draft-2020-12', unrepresentable: 'any' } as const

/** OpenAPI 3.1 from the same Zod schemas that validate, and the reference page, all from this process. */
export async function registerOpenApi(app: App, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Switchyard', version: '1.0', description },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        },
      },
      security: [{ apiKey: [] }, { bearer: [] }],
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
    },
  })
}
