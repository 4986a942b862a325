// What is used of MSW, which is a dependency of its users and not of this package.
declare module 'msw' {
  export const http: { all(path: RegExp, resolver: (info: { request: Request }) => Promise<Response>): unknown };
  export const ws: { link(url: RegExp): { addEventListener(type: 'connection', listener: (connection: any) => void): unknown } };
}
