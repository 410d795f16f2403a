import { json, type Answer } from '../../core/answer.ts'
import { fieldOf, type Call, type OpenCall } from '../../core/call.ts'
import type { Kit, Route } from '../../protocol.ts'
import { decideOnAuthorisePage, showAuthorisePage } from './authorise-page.ts'
import { initiateDeposit } from './deposits.ts'
import { failureAnswer } from './failures.ts'
import { failEnqueued, lookUpPayment, resendCallback } from './payment-lookups.ts'
import { initiateBulkPayout, initiatePayout } from './payouts.ts'
import { initiateRefund } from './refunds.ts'
import { isSignedBy, KEY_ID, type SigningKey } from './signatures.ts'
import { predictProvider, showActiveConfiguration, showAvailability, showWalletBalances } from './toolkit.ts'

export function createRoutes(kit: Kit, key: SigningKey): readonly Route[] {
  return [...depositRoutes(kit), ...payoutRoutes(kit), ...refundRoutes(kit), ...toolkitRoutes(kit, key)]
}

function depositRoutes(kit: Kit): Route[] {
  const reference = (call: OpenCall) => call.params['depositId']
  return [
    {
      method: 'POST',
      path: '/pawapay/v2/deposits',
      on: 'collect',
      reference: (call) => fieldOf(call, 'depositId'),
      handle: signed(kit, (call) => initiateDeposit(kit, call)),
    },
    {
      method: 'GET',
      path: '/pawapay/v2/deposits/:depositId',
      on: 'inquire',
      reference,
      handle: (call) => lookUpPayment(kit, call, 'collect'),
    },
    {
      method: 'POST',
      path: '/pawapay/v2/deposits/resend-callback/:depositId',
      on: 'inquire',
      reference,
      handle: (call) => resendCallback(kit, call, 'collect'),
    },
    {
      method: 'GET',
      path: '/pawapay/authorise/:account/:depositId',
      on: 'page',
      open: true,
      reference,
      handle: (call) => showAuthorisePage(kit, call),
    },
    {
      method: 'POST',
      path: '/pawapay/authorise/:account/:depositId',
      on: 'page',
      open: true,
      reference,
      handle: (call) => decideOnAuthorisePage(kit, call),
    },
  ]
}

function payoutRoutes(kit: Kit): Route[] {
  const reference = (call: OpenCall) => call.params['payoutId']
  return [
    {
      method: 'POST',
      path: '/pawapay/v2/payouts',
      on: 'payout',
      reference: (call) => fieldOf(call, 'payoutId'),
      handle: signed(kit, (call) => initiatePayout(kit, call)),
    },
    {
      method: 'POST',
      path: '/pawapay/v2/payouts/bulk',
      on: 'payout',
      handle: signed(kit, (call) => initiateBulkPayout(kit, call)),
    },
    {
      method: 'GET',
      path: '/pawapay/v2/payouts/:payoutId',
      on: 'inquire',
      reference,
      handle: (call) => lookUpPayment(kit, call, 'payout'),
    },
    {
      method: 'POST',
      path: '/pawapay/v2/payouts/fail-enqueued/:payoutId',
      on: 'cancel',
      reference,
      handle: (call) => failEnqueued(kit, call, 'payout'),
    },
    {
      method: 'POST',
      path: '/pawapay/v2/payouts/resend-callback/:payoutId',
      on: 'inquire',
      reference,
      handle: (call) => resendCallback(kit, call, 'payout'),
    },
  ]
}

function refundRoutes(kit: Kit): Route[] {
  const reference = (call: OpenCall) => call.params['refundId']
  return [
    {
      method: 'POST',
      path: '/pawapay/v2/refunds',
      on: 'refund',
      reference: (call) => fieldOf(call, 'refundId'),
      handle: signed(kit, (call) => initiateRefund(kit, call)),
    },
    {
      method: 'GET',
      path: '/pawapay/v2/refunds/:refundId',
      on: 'inquire',
      reference,
      handle: (call) => lookUpPayment(kit, call, 'refund'),
    },
    {
      method: 'POST',
      path: '/pawapay/v2/refunds/fail-enqueued/:refundId',
      on: 'cancel',
      reference,
      handle: (call) => failEnqueued(kit, call, 'refund'),
    },
    {
      method: 'POST',
      path: '/pawapay/v2/refunds/resend-callback/:refundId',
      on: 'inquire',
      reference,
      handle: (call) => resendCallback(kit, call, 'refund'),
    },
  ]
}

function toolkitRoutes(kit: Kit, key: SigningKey): Route[] {
  return [
    { method: 'GET', path: '/pawapay/v2/active-conf', on: 'list', handle: showActiveConfiguration },
    { method: 'GET', path: '/pawapay/v2/availability', on: 'list', handle: showAvailability },
    { method: 'POST', path: '/pawapay/v2/predict-provider', on: 'list', handle: predictProvider },
    {
      method: 'GET',
      path: '/pawapay/v2/wallet-balances',
      on: 'list',
      handle: (call) => showWalletBalances(kit, call),
    },
    {
      method: 'GET',
      path: '/pawapay/v2/public-key/http',
      on: 'list',
      open: true,
      handle: () => json(200, [{ id: KEY_ID, key: key.publicKeyPem }]),
    },
  ]
}

/** Verifies a signature if there is one, and requires it if the account does. */
function signed(kit: Kit, handle: (call: Call) => Promise<Answer>): (call: Call) => Promise<Answer> {
  return async (call) => {
    const isDemanded = call.account.options['signed_requests_only'] === true
    if (!isDemanded && call.header('signature') === undefined) return handle(call)
    const publicKeyPem = call.account.secrets['request_public_key']
    const message = {
      method: call.method,
      authority: call.header('host') ?? '',
      path: call.path,
      contentType: call.header('content-type') ?? '',
      body: call.rawBody,
      header: call.header,
    }
    const isValid = publicKeyPem !== undefined && isSignedBy(message, publicKeyPem, kit.clock.now())
    return isValid ? handle(call) : failureAnswer(403, 'HTTP_SIGNATURE_ERROR')
  }
}
