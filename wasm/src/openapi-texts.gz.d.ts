/** The address of the texts, as bundlers export it for such a file: for `createCluster({ openapiTexts })`. */
declare const address: string;
export default address;
