/** How many of a kind are read; a longer list is counted as this many and more. */
export const countLimit = 100
/** How many of a kind are shown. */
export const shownLimit = 5
