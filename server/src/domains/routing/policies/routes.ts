import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { compareVersions } from './compare-versions.ts'
import { draftPolicy } from './draft-policy.ts'
import { getVersion, listVersions } from './reads.ts'
import { publishPolicy } from './publish-policy.ts'
import type { RoutingPolicyDeps } from './record.ts'
import { restorePolicy } from './restore-policy.ts'
import * as schema from './schema.ts'
import { toDiff, toVersion, toVersionPage } from './schema.ts'
import { withdrawPolicy } from './withdraw-policy.ts'

const tags = ['Routing']

export function routingPolicyRoutes(app: App, deps: RoutingPolicyDeps): void {
  readRoutes(app, deps)
  writeRoutes(app, deps)
}

function readRoutes(app: App, deps: RoutingPolicyDeps): void {
  app.get(
    '/v1/routing/policies',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'routingPolicies.list',
        summary: 'List the versions of a routing policy',
        description:
          'The newest first, without their documents. At most one version is published and at most one is the draft.',
        querystring: schema.listQuery,
        response: { 200: schema.versionPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toVersionPage(
        await listVersions(deps, caller, {
          orgId: query.org_id,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/routing/policies/:version',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'routingPolicies.get',
        summary: 'Get a version of a routing policy',
        description: 'With its document, and with its rules as sentences.',
        params: schema.versionParams,
        querystring: schema.versionQuery,
        response: { 200: schema.versionResponse, ...errors(404) },
      },
    },
    async ({ caller, params, query }) =>
      ok(
        'A version of the routing policy.',
        toVersion(await getVersion(deps, caller, { orgId: query.org_id, version: params.version })),
      ),
  )
  app.get(
    '/v1/routing/policies/:version/diff',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'routingPolicies.diff',
        summary: 'Compare a version of a routing policy with the published one',
        description: 'Rules are compared by their names, and shown as sentences.',
        params: schema.versionParams,
        querystring: schema.diffQuery,
        response: { 200: schema.diffResponse, ...errors(404) },
      },
    },
    async ({ caller, params, query }) =>
      toDiff(
        await compareVersions(deps, caller, {
          orgId: query.org_id,
          version: params.version,
          against: query.against,
        }),
      ),
  )
}

function writeRoutes(app: App, deps: RoutingPolicyDeps): void {
  app.put(
    '/v1/routing/policies/draft',
    {
      config: {
        access: { permission: 'provider-configs:write' },
        control: 'none: a draft orders nothing until it is published',
      },
      schema: {
        tags,
        operationId: 'routingPolicies.draft',
        summary: 'Write the draft of a routing policy',
        description:
          'Creates a new version; the draft before it is discarded. No payment is routed by a draft. The operator writes the policy of the installation, which applies to every organisation without a published policy of its own.',
        body: schema.draftBody,
        response: { 200: schema.versionResponse, ...errors() },
      },
    },
    async ({ caller, body }) =>
      ok(
        'Draft written.',
        toVersion(
          await draftPolicy(deps, caller, {
            orgId: body.org_id,
            document: body.document,
            note: body.note ?? null,
          }),
        ),
      ),
  )
  app.post(
    '/v1/routing/policies/:version/publish',
    {
      config: { access: { permission: 'provider-configs:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'routingPolicies.publish',
        summary: 'Publish the draft of a routing policy',
        description:
          'Payments that start from now on are routed by it, in every process within two seconds; payments in progress keep their route. Where changes need a second person, this answers 202 with a change request for exactly this version.',
        params: schema.versionParams,
        body: schema.decideBody,
        response: { 200: schema.versionResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const input = { orgId: body?.org_id, version: params.version }
      const published = await publishPolicy(deps, caller, input)
      return published.held
        ? reply.status(202).send(toHeld(published.held))
        : reply.send(ok('Published.', toVersion(published.done)))
    },
  )
  app.post(
    '/v1/routing/policies/:version/rollback',
    {
      config: {
        access: { permission: 'provider-configs:write' },
        control: 'none: the version was published before, with a second person',
      },
      schema: {
        tags,
        operationId: 'routingPolicies.rollback',
        summary: 'Roll back to an earlier published version of a routing policy',
        description:
          'Publishes the document of that version again, as a new version and at once: it was published before, so no second person is asked.',
        params: schema.versionParams,
        body: schema.decideBody,
        response: { 200: schema.versionResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      ok(
        'Rolled back.',
        toVersion(await restorePolicy(deps, caller, { orgId: body?.org_id, version: params.version })),
      ),
  )
  app.post(
    '/v1/routing/policies/withdraw',
    {
      config: { access: { permission: 'provider-configs:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'routingPolicies.withdraw',
        summary: 'Withdraw the published routing policy',
        description:
          'The policy of the installation applies again, or the priorities of the provider configurations if it has none. Where changes need a second person, this answers 202 with a change request.',
        body: schema.decideBody,
        response: { 200: schema.versionResponse, 202: changeRequestResponse, ...errors(409) },
      },
    },
    async ({ caller, body }, reply) => {
      const withdrawn = await withdrawPolicy(deps, caller, { orgId: body?.org_id })
      return withdrawn.held
        ? reply.status(202).send(toHeld(withdrawn.held))
        : reply.send(ok('Withdrawn.', toVersion(withdrawn.done)))
    },
  )
}
