/** A route in the order in which it is tried. */
export interface RankedRoute {
  id: string
  priority: number
  /** Its priority cannot be changed by this person. */
  isLocked: boolean
}

/**
 * The new priorities that move a route by one position. Undefined if it cannot be moved:
 * at the end of the list, or because there is no priority left between two locked routes.
 */
export function reorder(
  routes: readonly RankedRoute[],
  id: string,
  step: 1 | -1,
): ReadonlyMap<string, number> | undefined {
  const from = routes.findIndex((route) => route.id === id)
  const moved = routes[from]
  const neighbour = routes[from + step]
  if (!moved || !neighbour || moved.isLocked) return undefined
  if (!neighbour.isLocked && neighbour.priority !== moved.priority)
    return new Map([
      [moved.id, neighbour.priority],
      [neighbour.id, moved.priority],
    ])
  const order = routes.with(from, neighbour).with(from + step, moved)
  const changes = new Map<string, number>()
  let least = 0
  for (const [index, route] of order.entries()) {
    // The organisation's own route comes before a locked one with the same priority.
    const most = order.slice(index + 1).find(({ isLocked }) => isLocked)?.priority ?? Infinity
    const isRight = route.isLocked || (route.priority >= least && route.priority <= most)
    const priority = isRight ? route.priority : least
    if (!route.isLocked && priority > most) return undefined
    if (priority !== route.priority) changes.set(route.id, priority)
    least = priority + 1
  }
  return changes
}
