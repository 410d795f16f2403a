import swagger from '@fastify/swagger'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../app.ts'
import { completeDocument } from './complete-document.ts'
import { describeAccess, markOptionalBody } from './describe-route.ts'
import { sections } from './sections.ts'
import { registerReferencePage } from './reference-page.ts'

const description = `One JSON API in front of many payment providers.

Every request carries both headers, \`Authorization\` and \`X-Api-Key\`; the one that is not used holds the literal
\`NONE\`. Money is a JSON number with a fractional part. Lists are paged by cursor;
with \`Accept: text/csv\` the whole list is returned as one CSV file.`

const zodToJsonConfig = { target: 'draft-2020-12', unrepresentable: 'any' } as const
const convertRoute = createJsonSchemaTransform({ zodToJsonConfig })
const convert = createJsonSchemaTransformObject({ zodToJsonConfig })

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
      info: {
        title: 'Switchyard',
        version: '1.0',
        description,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
        contact: { name: 'The operator of this installation', url: publicUrl },
      },
      servers: [{ url: publicUrl, description: 'This installation' }],
      tags: [...sections],
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
    transform: (input) =>
      describeAccess(markOptionalBody(convertRoute(input), input.schema?.body), input.route.config?.access),
    transformObject: (document) => completeDocument(convert(document)),
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
  await registerReferencePage(app)
}
