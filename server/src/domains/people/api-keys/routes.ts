import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { createApiKey } from './create-api-key.ts'
import { listApiKeys } from './reads.ts'
import type { ApiKeyDeps } from './record.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'
import * as schema from './schema.ts'
import { toApiKeyPage, toCreatedApiKey } from './schema.ts'

export function apiKeyRoutes(app: App, deps: ApiKeyDeps): void {
  const tags = ['API keys']
  app.get(
    '/v1/public/api-keys',
    {
      config: { spec: '4.6', access: { permission: 'api-keys:read' } },
      schema: {
        tags,
        operationId: 'apiKeys.list',
        description:
          'Keys are shown by their prefix only. `status` is `active`, `expiring`, `revoked` or `expired`.',
        summary: 'List the API keys of the organisation',
        querystring: schema.listApiKeysQuery,
        response: { 200: schema.apiKeyPage, ...errors() },
      },
    },
    async ({ caller, query }) => {
      const page = { limit: query.limit, cursor: query.last_evaluated_key }
      return toApiKeyPage(await listApiKeys(deps, caller, { orgId: query.org_id, page }), deps.clock.now())
    },
  )
  app.post(
    '/v1/public/api-keys',
    {
      config: {
        spec: '4.6',
        access: { permission: 'api-keys:write' },
        control: 'none: a key has no more rights than the member it belongs to, and counts as that person',
      },
      schema: {
        tags,
        operationId: 'apiKeys.create',
        description:
          'The key acts as you, with your permissions or fewer (`scopes`), from any address or only from some (`allowed_ips`). It is stored as a keyed hash, so nobody can show it again; a key that was made with a key ends with it.',
        summary: 'Create an API key; the key is shown only once',
        body: schema.createApiKeyBody,
        response: { 201: schema.createdApiKeyResponse, ...errors(409) },
      },
    },
    async ({ caller, body }, reply) => {
      const created = await createApiKey(deps, caller, {
        name: body.name,
        scopes: body.scopes ?? null,
        allowedIps: body.allowed_ips ?? null,
        expiresAt: body.expires_at === undefined ? null : new Date(body.expires_at),
      })
      return reply.status(201).send(toCreatedApiKey(created, deps.clock.now()))
    },
  )
  app.post(
    '/v1/public/api-keys/:api_key_id/rotate',
    {
      config: {
        spec: '4.6',
        access: { permission: 'api-keys:write' },
        control: 'none: a key has no more rights than the member it belongs to, and counts as that person',
      },
      schema: {
        tags,
        operationId: 'apiKeys.rotate',
        description:
          'Answers with a new key; the old one works for `overlap_seconds` more, none by default. Keys that were made with the old one belong to the new one.',
        summary: 'Replace an API key of your own; the old key works until the overlap ends',
        params: schema.apiKeyParams,
        body: schema.rotateApiKeyBody,
        response: { 201: schema.createdApiKeyResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const created = await rotateApiKey(deps, caller, {
        apiKeyId: params.api_key_id,
        overlapSeconds: body?.overlap_seconds ?? 0,
      })
      return reply.status(201).send(toCreatedApiKey(created, deps.clock.now()))
    },
  )
  app.delete(
    '/v1/public/api-keys/:api_key_id',
    {
      config: {
        spec: '4.6',
        access: { permission: 'api-keys:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'apiKeys.revoke',
        description:
          'Takes effect with the next request. After a leak, revoke instead of rotating, because the keys that were made with this one are then revoked too.',
        summary: 'Revoke an API key and the keys made with it, immediately and permanently',
        params: schema.apiKeyParams,
        response: { 204: schema.nothing, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      await revokeApiKey(deps, caller, { apiKeyId: params.api_key_id })
      return reply.status(204).send(null)
    },
  )
}
