import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeEach, describe, expect, it } from 'vitest'
import { onRampBody, openRamps, useRamps, type OrgRamps } from '../../../../test/worlds/test-ramps.ts'
import { lift, suspendOrganization } from '../../compliance/suspensions/testing/suspend-as-operator.ts'

const t = useRamps()
let org: OrgRamps
beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
})

/** A ramp whose collection has ended without money, and whose phase a defect has left as it is. */
async function startWithoutOpenLeg(phase: string): Promise<{ id: string; wallet: `0x${string}` }> {
  const wallet = privateKeyToAddress(generatePrivateKey())
  const client_rate = await org.rate('UGX', 'USDC')
  const { response } = (await org.ramp(onRampBody({ wallet_address: wallet, client_rate }))).body
  const id: string = response.payment_id
  await t.owner.query(`update ramp_legs set state = 'failed' where payment_id = $1`, [id])
  await t.owner.query('update ramps set phase = $2 where payment_id = $1', [id, phase])
  return { id, wallet }
}

describe('a ramp without an open leg pays nothing out', () => {
  it('while it is collecting: it is a defect, which the engine reports', async () => {
    const { id, wallet } = await startWithoutOpenLeg('collecting')
    await expect(org.advanceRamp(id)).rejects.toThrow('collecting')
    expect((await org.legs(id)).map(({ kind }) => kind)).toEqual(['collection'])
    expect(await t.chain.token.balanceOf(wallet)).toBe(0n)
  })

  it.each(['watching', 'closed'])('when it is %s: it is closed', async (phase) => {
    const { id } = await startWithoutOpenLeg(phase)
    expect(await org.advanceRamp(id)).toMatchObject({ nextPollMs: undefined })
    expect((await org.legs(id)).map(({ kind }) => kind)).toEqual(['collection'])
  })
})

describe('while the organisation is suspended', () => {
  it('the delivery waits: no leg is written and nothing is sent until the suspension is lifted', async () => {
    const { id, wallet } = await startWithoutOpenLeg('delivering')
    const suspension = await suspendOrganization(t, org.orgId)
    expect((await org.advanceRamp(id)).nextPollMs).toBe(t.deps.pollSchedule.suspendedMs)
    expect((await org.legs(id)).map(({ kind }) => kind)).toEqual(['collection'])
    expect(await t.chain.token.balanceOf(wallet)).toBe(0n)
    await lift(t, suspension)
    await org.advanceRamp(id)
    expect((await org.legs(id)).map(({ kind }) => kind)).toEqual(['collection', 'delivery'])
  })
})
