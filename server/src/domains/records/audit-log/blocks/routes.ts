import type { Database } from '../../../../kernel/db/database.ts'
import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { getHead, getProof } from './get-proof.ts'
import {
  headParams,
  headResponse,
  proofParams,
  proofQuery,
  proofResponse,
  toBlockView,
  toProof,
} from './schema.ts'

export function auditBlockRoutes(app: App, deps: { db: Database }): void {
  const tags = ['Organisations']
  app.get(
    '/v1/organizations/:org_id/audit-log/head',
    {
      config: { access: { permission: 'audit-log:read' } },
      schema: {
        tags,
        operationId: 'auditLog.getHead',
        summary: 'Get the newest block of the audit log',
        description:
          'Every entry is sealed within seconds in a block that is chained to the one before. Whoever keeps `block_no` and `block_hash` elsewhere can show later whether anything up to that block was changed.',
        params: headParams,
        response: { 200: headResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('The newest block.', toBlockView(await getHead(deps, caller, { orgId: params.org_id }))),
  )
  app.get(
    '/v1/organizations/:org_id/audit-log/:audit_id/proof',
    {
      config: { access: { permission: 'audit-log:read' } },
      schema: {
        tags,
        operationId: 'auditLog.getProof',
        summary: 'Get the proof that an entry is in the audit log',
        description:
          'The Merkle path from the entry to the root of its block, and the blocks that lead from there to a later one. It can be checked without this service. Answers 409 in the first seconds, until the entry is sealed.',
        params: proofParams,
        querystring: proofQuery,
        response: { 200: proofResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, query }) =>
      ok(
        'The proof of the entry.',
        toProof(
          await getProof(deps, caller, {
            orgId: params.org_id,
            auditId: params.audit_id,
            untilBlock: query.until_block,
          }),
        ),
      ),
  )
}
