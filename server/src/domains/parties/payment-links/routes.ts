import type { App } from '../../../http/app.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { cancelLink } from './cancel-link.ts'
import { createLink } from './create-link.ts'
import { getLink } from './get-link.ts'
import { listLinks } from './list-links.ts'
import type { LinkDeps } from './record.ts'
import * as schema from './schema.ts'
import { toLinkChange, toLinkTerms, toLinkView } from './schema.ts'
import { updateLink } from './update-link.ts'

const tags = ['Payment links']

export function paymentLinkRoutes(app: App, deps: LinkDeps & { cursorKey: KeyRing }): void {
  app.get(
    '/v1/orgs/:org_id/payment-links',
    {
      config: { spec: '4.10', access: { permission: 'payment-links:read' } },
      schema: {
        tags,
        operationId: 'paymentLinks.list',
        summary: 'List all payment links of the organisation, newest first',
        description:
          'Without a `limit` it returns all links, canceled and expired ones included. With a `limit` it returns one page, and `last_evaluated_key` names the next.',
        params: schema.orgParams,
        querystring: schema.listLinksQuery,
        response: { 200: schema.linkList, ...errors() },
      },
    },
    async ({ caller, params, query }) => {
      const { items, nextCursor } = await listLinks(deps, caller, {
        orgId: params.org_id,
        status: query.status,
        limit: query.limit,
        cursor: query.last_evaluated_key,
      })
      const data = items.map((link) => toLinkView(deps, link, deps.clock.now()))
      const isPaged = query.limit !== undefined || nextCursor !== null
      return { data, count: data.length, ...(isPaged && { last_evaluated_key: nextCursor }) }
    },
  )
  app.post(
    '/v1/orgs/:org_id/payment-links',
    {
      config: { spec: '4.10', access: { permission: 'payment-links:write' } },
      schema: {
        tags,
        operationId: 'paymentLinks.create',
        description:
          'The payer opens `url` and chooses a method; you learn of the payment by its events. A fixed link is paid once, and an open one lets the payer choose the amount.',
        summary: 'Create a payment link, a page on which a payer pays',
        params: schema.orgParams,
        body: schema.createLinkBody,
        response: { 201: schema.linkResponse, ...errors() },
      },
    },
    async ({ caller, params, body }, reply) => {
      const link = await createLink(deps, caller, { orgId: params.org_id, ...toLinkTerms(body) })
      return reply.status(201).send(ok('Payment link created.', toLinkView(deps, link, deps.clock.now())))
    },
  )
  app.get(
    '/v1/orgs/:org_id/payment-links/:link_id',
    {
      config: { spec: '4.10', access: { permission: 'payment-links:read' } },
      schema: {
        tags,
        operationId: 'paymentLinks.get',
        description: '`status` is `active`, `paid`, `expired` or `canceled`.',
        summary: 'Get a payment link',
        params: schema.linkParams,
        response: { 200: schema.linkResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const link = await getLink(deps, caller, { orgId: params.org_id, linkId: params.link_id })
      return ok('Payment link.', toLinkView(deps, link, deps.clock.now()))
    },
  )
  app.patch(
    '/v1/orgs/:org_id/payment-links/:link_id',
    {
      config: { spec: '4.10', access: { permission: 'payment-links:write' } },
      schema: {
        tags,
        operationId: 'paymentLinks.update',
        description:
          'Only the fields that you send change. 409 while a payer has a payment on it that is not finished.',
        summary: 'Update a payment link that has no open payment',
        params: schema.linkParams,
        body: schema.updateLinkBody,
        response: { 200: schema.linkResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const ids = { orgId: params.org_id, linkId: params.link_id }
      const { amount } = await getLink(deps, caller, ids)
      const link = await updateLink(deps, caller, { ...ids, ...toLinkChange(body, amount.currency) })
      return ok('Payment link updated.', toLinkView(deps, link, deps.clock.now()))
    },
  )
  app.delete(
    '/v1/orgs/:org_id/payment-links/:link_id',
    {
      config: { spec: '4.10', access: { permission: 'payment-links:write' } },
      schema: {
        tags,
        operationId: 'paymentLinks.cancel',
        description:
          'The page then says that the link was canceled. 409 while a payer has a payment on it that is not finished.',
        summary: 'Cancel a payment link that has no open payment; it remains in the list',
        params: schema.linkParams,
        response: { 200: schema.linkResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      const link = await cancelLink(deps, caller, { orgId: params.org_id, linkId: params.link_id })
      return ok('Payment link canceled.', toLinkView(deps, link, deps.clock.now()))
    },
  )
}
