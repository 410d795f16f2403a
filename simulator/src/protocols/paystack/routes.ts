import { fieldOf, type OpenCall } from '../../core/call.ts'
import type { Route } from '../../protocol.ts'
import { payByBank } from './bank-payment.ts'
import { listBanks, resolveAccount } from './banks.ts'
import { checkCharge, createCharge, submitOtp } from './charges.ts'
import { decideOnCheckoutPage, showCheckoutPage } from './checkout-page.ts'
import { createCustomer, createDedicatedAccount, depositByBank } from './dedicated-accounts.ts'
import { disputeRoutes } from './disputes.ts'
import { createRecipient } from './recipients.ts'
import { createRefund, fetchRefund, listRefunds } from './refunds.ts'
import type { Paystack } from './state.ts'
import { initializeTransaction, listTransactions, verifyTransaction } from './transactions.ts'
import {
  finalizeTransfer,
  initiateTransfer,
  listTransfers,
  resendTransferOtp,
  verifyTransfer,
} from './transfers.ts'

const fromBody = (call: OpenCall) => fieldOf(call, 'reference')
const fromPath = (call: OpenCall) => call.params['reference']

export function createRoutes(paystack: Paystack): readonly Route[] {
  return [
    ...transactionRoutes(paystack),
    ...chargeRoutes(paystack),
    ...transferRoutes(paystack),
    ...refundRoutes(paystack),
    ...disputeRoutes(paystack),
    ...accountRoutes(paystack),
    { method: 'GET', path: '/paystack/bank', on: 'list', handle: listBanks },
    { method: 'GET', path: '/paystack/bank/resolve', on: 'list', handle: resolveAccount },
  ]
}

function transactionRoutes(paystack: Paystack): Route[] {
  return [
    {
      method: 'POST',
      path: '/paystack/transaction/initialize',
      on: 'collect',
      reference: fromBody,
      handle: (call) => initializeTransaction(paystack, call),
    },
    {
      method: 'GET',
      path: '/paystack/transaction/verify/:reference',
      on: 'inquire',
      reference: fromPath,
      handle: (call) => verifyTransaction(paystack, call),
    },
    {
      method: 'GET',
      path: '/paystack/transaction',
      on: 'list',
      handle: (call) => listTransactions(paystack, call),
    },
    {
      method: 'GET',
      path: '/paystack/checkout/:accessCode',
      on: 'page',
      open: true,
      handle: (call) => showCheckoutPage(paystack, call),
    },
    {
      method: 'POST',
      path: '/paystack/checkout/:accessCode',
      on: 'page',
      open: true,
      handle: (call) => decideOnCheckoutPage(paystack, call),
    },
  ]
}

function chargeRoutes(paystack: Paystack): Route[] {
  return [
    {
      method: 'POST',
      path: '/paystack/charge',
      on: 'collect',
      reference: fromBody,
      handle: (call) => createCharge(paystack, call),
    },
    {
      method: 'POST',
      path: '/paystack/charge/submit_otp',
      on: 'act',
      reference: fromBody,
      handle: (call) => submitOtp(paystack, call),
    },
    {
      method: 'GET',
      path: '/paystack/charge/:reference',
      on: 'inquire',
      reference: fromPath,
      handle: (call) => checkCharge(paystack, call),
    },
    {
      method: 'POST',
      path: '/paystack/_bank/pay',
      on: 'page',
      open: true,
      reference: fromBody,
      handle: (call) => payByBank(paystack, call),
    },
  ]
}

function transferRoutes(paystack: Paystack): Route[] {
  return [
    {
      method: 'POST',
      path: '/paystack/transferrecipient',
      on: 'prepare',
      handle: (call) => createRecipient(paystack, call),
    },
    {
      method: 'POST',
      path: '/paystack/transfer',
      on: 'payout',
      reference: fromBody,
      handle: (call) => initiateTransfer(paystack, call),
    },
    {
      method: 'POST',
      path: '/paystack/transfer/finalize_transfer',
      on: 'act',
      handle: (call) => finalizeTransfer(paystack, call),
    },
    {
      method: 'POST',
      path: '/paystack/transfer/resend_otp',
      on: 'act',
      handle: (call) => resendTransferOtp(paystack, call),
    },
    {
      method: 'GET',
      path: '/paystack/transfer/verify/:reference',
      on: 'inquire',
      reference: fromPath,
      handle: (call) => verifyTransfer(paystack, call),
    },
    {
      method: 'GET',
      path: '/paystack/transfer',
      on: 'list',
      handle: (call) => listTransfers(paystack, call),
    },
  ]
}

function refundRoutes(paystack: Paystack): Route[] {
  return [
    {
      method: 'POST',
      path: '/paystack/refund',
      on: 'refund',
      reference: (call) => fieldOf(call, 'merchant_note'),
      handle: (call) => createRefund(paystack, call),
    },
    {
      method: 'GET',
      path: '/paystack/refund/:id',
      on: 'inquire',
      handle: (call) => fetchRefund(paystack, call),
    },
    { method: 'GET', path: '/paystack/refund', on: 'list', handle: (call) => listRefunds(paystack, call) },
  ]
}

function accountRoutes(paystack: Paystack): Route[] {
  return [
    {
      method: 'POST',
      path: '/paystack/customer',
      on: 'prepare',
      handle: (call) => createCustomer(paystack, call),
    },
    {
      method: 'POST',
      path: '/paystack/dedicated_account',
      on: 'prepare',
      handle: (call) => createDedicatedAccount(paystack, call),
    },
    {
      method: 'POST',
      path: '/paystack/_bank/deposit',
      on: 'page',
      open: true,
      handle: (call) => depositByBank(paystack, call),
    },
  ]
}
