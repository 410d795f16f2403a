/** How the search orders pages. The theme's own weights put titles first, so operations of the API hide the guides. */
export const searchRanking = {
  pageLength: 0.75,
  termFrequency: 1,
  termSaturation: 1.4,
  termSimilarity: 1,
  metaWeights: { title: 1 },
}
