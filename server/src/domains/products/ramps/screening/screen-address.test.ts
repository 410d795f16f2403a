import { beforeEach, describe, expect, it } from 'vitest'
import { memberCaller } from '@switchyard/stack/seeds/seed.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { openOrganization } from '../../../../../test/app/people.ts'
import { operatorOf, usePayments } from '../../../../../test/worlds/test-payments.ts'
import type { Screener } from './record.ts'
import { screenAddress } from './screen-address.ts'
import { setAddress } from './set-address.ts'

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const wallet = { network: 'BASE', address }
const t = usePayments()
let caller: Caller
beforeEach(async () => {
  const { orgId } = await openOrganization(t)
  caller = memberCaller(operatorOf(t), { orgId, userId: 'somebody', role: 'org-admin' })
})

const list = async (verdict: 'allow' | 'deny', as: Caller = caller, everywhere = false, of = address) =>
  setAddress(t.deps, as, { address: of, verdict, reason: 'a test', everywhere })

/** Screens with an external screener of the given opinion, and counts its calls. */
async function screen(opinion: 'clear' | 'refused', screened = wallet) {
  let asked = 0
  const screener: Screener = {
    screen() {
      asked++
      return Promise.resolve(opinion)
    },
  }
  const result = await screenAddress({ db: t.deps.db, screener }, caller.orgId, screened)
  return { ...result, asked }
}

describe('an address on no list', () => {
  it('is what the external screener says', async () => {
    expect(await screen('clear')).toEqual({ verdict: 'clear', asked: 1 })
    expect(await screen('refused')).toEqual({ verdict: 'refused', by: 'screener', asked: 1 })
  })

  it('that cannot be screened is not cleared', async () => {
    const screener: Screener = { screen: () => Promise.reject(new Error('down')) }
    await expect(screenAddress({ db: t.deps.db, screener }, caller.orgId, wallet)).rejects.toThrow('down')
  })
})

describe('an address on the organisation’s list', () => {
  it('is refused when it is denied, however it is written, without asking the screener', async () => {
    await list('deny')
    for (const written of [address, address.toLowerCase()])
      expect(await screen('clear', { ...wallet, address: written })).toEqual({
        verdict: 'refused',
        by: 'deny_list',
        asked: 0,
      })
  })

  it('is still screened when the organisation allows it, and the screener’s refusal stands', async () => {
    await list('allow')
    expect(await screen('refused')).toEqual({ verdict: 'refused', by: 'screener', asked: 1 })
    expect(await screen('clear')).toEqual({ verdict: 'clear', asked: 1 })
  })

  it('the last entry counts', async () => {
    await list('deny')
    await list('allow')
    expect(await screen('clear')).toMatchObject({ verdict: 'clear' })
  })

  it('is not listed for another organisation', async () => {
    await list('deny')
    const { orgId } = await openOrganization(t)
    caller = { ...caller, orgId }
    expect(await screen('clear')).toEqual({ verdict: 'clear', asked: 1 })
  })
})

describe('an address on the installation’s list', () => {
  const sanctioned = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

  it('is refused for every organisation, even one that allows it', async () => {
    await list('deny', operatorOf(t), true, sanctioned)
    await list('allow', caller, false, sanctioned)
    expect(await screen('clear', { ...wallet, address: sanctioned })).toMatchObject({ by: 'deny_list' })
  })

  const cleared = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'

  it('is clear without asking the screener when the operator allows it', async () => {
    await list('allow', operatorOf(t), true, cleared)
    expect(await screen('refused', { ...wallet, address: cleared })).toEqual({ verdict: 'clear', asked: 0 })
  })

  it('is refused when the operator allows it and the organisation denies it', async () => {
    await list('allow', operatorOf(t), true, cleared)
    await list('deny', caller, false, cleared)
    expect(await screen('clear', { ...wallet, address: cleared })).toMatchObject({ by: 'deny_list' })
  })

  it('may be changed by the operator alone', async () => {
    await expect(list('deny', caller, true)).rejects.toMatchObject({ status: 403 })
  })
})
