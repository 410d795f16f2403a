import { expect } from 'vitest'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { transitions } from '../../src/domains/payments/lifecycle/rules.ts'
import { auditAcrossOrgs, formatFindings, isClean } from '../../src/kernel/ledger/audit.ts'
import { addPerson, openOrganization } from '../app/people.ts'
import type { CallAnswer, Json, TestApp } from '../app/test-app.ts'
import {
  ampleFunds,
  bankBeneficiary,
  paymentsOf,
  type OrgPayments,
  type TestPayments,
} from './test-payments.ts'

/** A Nigerian organisation with accounts at the simulated bank and a beneficiary for withdrawals. */
export interface TestAccounts extends OrgPayments {
  userId: string
  beneficiaryId: string
  open(body?: Json): Promise<Json>
  account(accountId: string): Promise<Json>
  /** A transfer from an outside bank; its webhook has arrived when this returns. */
  deposit(account: Json, amountMinor: number, change?: Json): Promise<string>
  /** A new account with this balance. */
  funded(amountMinor: number): Promise<Json>
  withdraw(accountId: string, amount: number, change?: Json): Promise<CallAnswer>
  transfer(fromId: string, toId: string, amount: number, change?: Json): Promise<CallAnswer>
  transactions(accountId: string): Promise<Json[]>
  staff(role: 'staff' | 'viewer'): Promise<string>
}

export async function openAccounts(t: TestPayments, country = 'NG'): Promise<TestAccounts> {
  const { orgId, admin } = await openOrganization(t, country)
  await seedFunds(t.deps, orgId, ampleFunds)
  return accountsOf(t, paymentsOf(t, orgId, admin.token), admin.userId)
}

/** The accounts of an organisation that exists, opened for one of its members. */
export async function accountsOf(t: TestPayments, org: OrgPayments, userId: string): Promise<TestAccounts> {
  const { orgId } = org
  const path = '/v1/virtual-accounts'
  const open: TestAccounts['open'] = async (body = {}) => {
    const wanted = { org_id: orgId, user_id: userId, currency: 'NGN', ...body }
    const answer = await org.call('POST', `${path}/internal/bank`, wanted)
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.data
  }
  const deposit: TestAccounts['deposit'] = async (account, amountMinor, change = {}) => {
    const answer = await postToSimulator(t, '/paystack/_bank/deposit', {
      account_number: account.bank_details.account_number,
      amount: amountMinor,
      ...change,
    })
    return answer.reference
  }
  const beneficiaryId = await org.addBeneficiary(bankBeneficiary())
  return {
    ...org,
    userId,
    beneficiaryId,
    open,
    deposit,
    account: async (accountId) => (await org.call('GET', `${path}/${accountId}`)).body.data,
    async funded(amountMinor) {
      const account = await open()
      await deposit(account, amountMinor)
      return account
    },
    withdraw: (accountId, amount, change = {}) =>
      org.call('POST', `${path}/${accountId}/withdraw`, { beneficiary_id: beneficiaryId, amount, ...change }),
    transfer: (fromId, toId, amount, change = {}) =>
      org.call('POST', `${path}/${fromId}/transfer`, { to_account_id: toId, amount, ...change }),
    transactions: async (accountId) =>
      (await org.call('GET', `${path}/${accountId}/transactions?limit=100`)).body.data,
    staff: async (role) => (await addPerson(t, orgId, role)).token,
  }
}

export async function postToSimulator(t: TestPayments, path: string, body: Json): Promise<Json> {
  const response = await fetch(`${t.simulator.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`the simulator answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Asserts that the audit of the whole database finds no violation. */
export async function expectCleanAudit(t: TestApp): Promise<void> {
  const findings = await auditAcrossOrgs(t.deps.db.readAcrossOrgs, transitions)
  expect(isClean(findings) ? '' : formatFindings(findings)).toBe('')
}
