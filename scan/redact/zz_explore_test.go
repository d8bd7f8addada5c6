package redact
import ("testing";"fmt";"math/rand/v2";"sort";"os";"strings")
func TestExplore(t *testing.T){
 r:=rand.New(rand.NewPCG(1,2))
 low:="abcdefghijklmnopqrstuvwxyz"; up:=strings.ToUpper(low); dg:="0123456789"
 for _,a:=range []struct{n,s string}{{"base62",low+up+dg},{"b64",low+up+dg+"+/"},{"url",low+up+dg+"-_"},{"letters",low+up},{"lower",low},{"upper",up},{"base36",low+dg},{"b32",up+"234567"},{"hex","0123456789abcdef"},{"print",low+up+dg+"!#$%&()*+,-./:;<=>?@[]^_{|}~"},{"sym",low+up+dg+"!@#$%^&*-_"}}{
  for _,n:=range []int{8,12,16,20,32,40}{
   v:=make([]float64,4000)
   for i:=range v{ b:=make([]byte,n); for j:=range b{b[j]=a.s[r.IntN(len(a.s))]}; v[i]=drawnBits(string(b))}
   sort.Float64s(v)
   fmt.Printf("%-8s %2d  .1%% %6.1f  .5%% %6.1f 1%% %6.1f  3%% %6.1f  med %6.1f  b/char %.2f\n",a.n,n,v[4],v[20],v[40],v[120],v[2000],v[2000]/float64(n))
  }}
 b,_:=os.ReadFile("/tmp/sv/lits.txt")
 by:=map[int][]string{}
 for _,l:=range strings.Split(string(b),"\n"){ if len(l)<8{continue}; k:=len(l)/4*4; by[k]=append(by[k],l)}
 for k:=8;k<=40;k+=4{ v:=by[k]; sort.Slice(v,func(i,j int)bool{return drawnBits(v[i])>drawnBits(v[j])})
  if len(v)==0{continue}
  fmt.Printf("LITS %d n=%d",k,len(v)); for _,q:=range []float64{.001,.003,.01,.03,.1}{fmt.Printf("  %.3f:%.1f",q,drawnBits(v[int(q*float64(len(v)))]))}; fmt.Println()
  for i:=0;i<len(v)/50;i+=max(1,len(v)/50/40){fmt.Printf("   %.1f %s\n",drawnBits(v[i]),v[i])}
 }
}
