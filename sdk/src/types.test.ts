import { describe, expectTypeOf, it } from 'vitest'
import type { ApiPromise } from './api-promise.ts'
import type { Switchyard } from './client.ts'
import type { DecimalInput } from './decimal.ts'
import type { ChangeRequest, PaymentRecord, PaymentsInitiateBody, Transaction } from './generated/types.ts'
import type { Pages } from './pages.ts'

type Client = Switchyard

describe('types', () => {
  it('amounts are text in answers and text or numbers in arguments', () => {
    expectTypeOf<PaymentRecord['amount']>().toEqualTypeOf<string>()
    expectTypeOf<PaymentRecord['total_fees']>().toEqualTypeOf<string | null>()
    expectTypeOf<PaymentsInitiateBody['amount']>().toEqualTypeOf<DecimalInput>()
  })

  it('choices are open in answers and closed in arguments', () => {
    expectTypeOf<'completed'>().toExtend<PaymentRecord['status']>()
    expectTypeOf<'a_later_status'>().toExtend<PaymentRecord['status']>()
    expectTypeOf<PaymentsInitiateBody['direction']>().toEqualTypeOf<'payin' | 'payout'>()
  })

  it('envelopes are removed, and lists are pages', () => {
    expectTypeOf<ReturnType<Client['payments']['get']>>().toEqualTypeOf<ApiPromise<PaymentRecord>>()
    expectTypeOf<ReturnType<Client['transactions']['list']>>().toEqualTypeOf<Pages<Transaction>>()
    expectTypeOf<ReturnType<Client['beneficiaries']['delete']>>().toEqualTypeOf<ApiPromise<void>>()
    expectTypeOf<Awaited<ReturnType<Client['payments']['initiate']>>['payment_id']>().toEqualTypeOf<string>()
  })

  it('a change that may be held for approval is either', () => {
    expectTypeOf<Awaited<ReturnType<Client['members']['delete']>>>().toEqualTypeOf<
      ChangeRequest | undefined
    >()
  })

  it('toArray demands a limit', () => {
    expectTypeOf<Parameters<Pages<string>['toArray']>>().toEqualTypeOf<[{ limit: number }]>()
  })
})
