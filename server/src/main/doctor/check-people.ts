import { ok, warning, type Check } from './record.ts'

/** With one operator, nobody else has to agree to what loosens the installation's rules. */
export const checkPeople: Check = async ({ deps: { db, listOperators } }) => {
  const { length } = await db.acrossOrgs(listOperators)
  return [
    length > 1
      ? ok('operators', `there are ${length}, so what loosens the rules takes two`)
      : warning(
          'operators',
          'there is only one, who raises limits, waives verifications and adjusts accounts alone',
          'Add a second one as a member of the operator’s organisation (docs/four-eyes.md).',
        ),
  ]
}
