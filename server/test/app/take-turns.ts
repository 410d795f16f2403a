/**
 * The checks of successive commits take turns at long lists of equal cases: each runs one part, and all of them are
 * run over time. `TURN=all` runs every case; the check sets a number from the commit.
 */
const turn = process.env['TURN'] ?? '0'

export const runsAll = turn === 'all'

export function takeTurns<Case>(cases: readonly Case[], parts: number, offset = 0): Case[] {
  if (runsAll) return [...cases]
  return cases.filter((_, index) => index % parts === (Number(turn) + offset) % parts)
}
