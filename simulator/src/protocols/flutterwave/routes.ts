import { fieldOf, type OpenCall } from '../../core/call.ts'
import type { Kit, Route } from '../../protocol.ts'
import { listBanks, resolveAccount } from './banks.ts'
import { validateCharge } from './card-charges.ts'
import { chargebackRoutes } from './chargebacks.ts'
import { createCharge, createHostedPayment } from './charges.ts'
import { decideOnPage, showPage } from './pages.ts'
import { createRefund, fetchRefund, listRefunds } from './refunds.ts'
import { listTransactions, verifyById, verifyByReference } from './transactions.ts'
import { createTransfer, fetchTransfer, listTransfers } from './transfers.ts'

const txRefOf = (call: OpenCall) => fieldOf(call, 'tx_ref')

export function createRoutes(kit: Kit): readonly Route[] {
  return [
    ...payinRoutes(kit),
    ...payoutRoutes(kit),
    ...refundRoutes(kit),
    ...chargebackRoutes(kit),
    { method: 'GET', path: '/flutterwave/v3/banks/:country', on: 'list', handle: listBanks },
    { method: 'POST', path: '/flutterwave/v3/accounts/resolve', on: 'list', handle: resolveAccount },
  ]
}

function payinRoutes(kit: Kit): Route[] {
  return [
    {
      method: 'POST',
      path: '/flutterwave/v3/charges',
      on: 'collect',
      reference: txRefOf,
      handle: (call) => createCharge(kit, call),
    },
    {
      method: 'POST',
      path: '/flutterwave/v3/payments',
      on: 'collect',
      reference: txRefOf,
      handle: (call) => createHostedPayment(kit, call),
    },
    {
      method: 'POST',
      path: '/flutterwave/v3/validate-charge',
      on: 'act',
      handle: (call) => validateCharge(kit, call),
    },
    {
      method: 'GET',
      path: '/flutterwave/v3/transactions/verify_by_reference',
      on: 'inquire',
      reference: (call) => call.query['tx_ref'],
      handle: (call) => verifyByReference(kit, call),
    },
    {
      method: 'GET',
      path: '/flutterwave/v3/transactions/:id/verify',
      on: 'inquire',
      handle: (call) => verifyById(kit, call),
    },
    {
      method: 'GET',
      path: '/flutterwave/v3/transactions',
      on: 'list',
      handle: (call) => listTransactions(kit, call),
    },
    {
      method: 'GET',
      path: '/flutterwave/hosted/pay/:flwRef',
      on: 'page',
      open: true,
      handle: (call) => showPage(kit, call),
    },
    {
      method: 'POST',
      path: '/flutterwave/hosted/pay/:flwRef',
      on: 'page',
      open: true,
      handle: (call) => decideOnPage(kit, call),
    },
  ]
}

function payoutRoutes(kit: Kit): Route[] {
  return [
    {
      method: 'POST',
      path: '/flutterwave/v3/transfers',
      on: 'payout',
      reference: (call) => fieldOf(call, 'reference'),
      handle: (call) => createTransfer(kit, call),
    },
    {
      method: 'GET',
      path: '/flutterwave/v3/transfers/:id',
      on: 'inquire',
      handle: (call) => fetchTransfer(kit, call),
    },
    {
      method: 'GET',
      path: '/flutterwave/v3/transfers',
      on: 'inquire',
      reference: (call) => call.query['reference'],
      handle: (call) => listTransfers(kit, call),
    },
  ]
}

function refundRoutes(kit: Kit): Route[] {
  return [
    {
      method: 'POST',
      path: '/flutterwave/v3/transactions/:id/refund',
      on: 'refund',
      reference: (call) => fieldOf(call, 'comments'),
      handle: (call) => createRefund(kit, call),
    },
    {
      method: 'GET',
      path: '/flutterwave/v3/refunds/:id',
      on: 'inquire',
      handle: (call) => fetchRefund(kit, call),
    },
    {
      method: 'GET',
      path: '/flutterwave/v3/refunds',
      on: 'list',
      handle: (call) => listRefunds(kit, call),
    },
  ]
}
