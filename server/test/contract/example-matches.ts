import { loadList } from '../../src/domains/compliance/sanctions/lists/load-list.ts'
import { ofacXml, writeListFile } from '../../src/domains/compliance/sanctions/testing/list-files.ts'
import { admin, type Target, type World } from './example-worlds.ts'
import { bankBeneficiary } from '../worlds/test-payments.ts'

/** A beneficiary who possibly is on a list, whose match nobody has decided about. */
export async function openMatch(w: World): Promise<Target> {
  const path = await writeListFile('sdn.xml', ofacXml([{ uid: '1', first: 'Oluakin', last: 'NDUEZEMI' }]))
  await loadList(w.t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await w.t.deps.sanctions.refresh()
  await w.org.addBeneficiary(bankBeneficiary({ fname: 'Oluakin', lname: 'Nduezemi' }))
  const { body } = await w.t.call('GET', '/v1/screening/matches?status=open&limit=1', {
    as: w.org.credential,
  })
  return admin(w, { match_id: body.data[0].match_id })
}
