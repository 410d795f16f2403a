/** A rule whose checks miss its boundary and its last function, for the test of the runner. */
export const discounted = (amount: number, isMember: boolean): number =>
  amount > 100 && isMember ? amount - 10 : amount

export function countDown(from: number): number {
  let left = from
  while (left > 0) left -= 1
  return left
}

export const isNeverAsked = (): boolean => true
