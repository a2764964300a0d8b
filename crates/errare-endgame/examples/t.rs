use errare_choice::*; use errare_endgame::*; use errare_tables::*; use shakmaty::Color;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let m: Material = std::env::args().nth(1).unwrap().parse()?;
    let lanes: usize = std::env::args().nth(2).unwrap().parse()?;
    let lib = Library::new("/tmp/t4");
    Builder::new(&lib, &Silent, 4<<30).ensure(m, Metric::Dtc)?;
    for c in m.conversions() { if c.men()>2 { Builder::new(&lib,&Silent,4<<30).ensure(c, Metric::Dtc)?; } }
    let cs: Vec<Competence> = (0..lanes).map(|i| Competence::new(15.0 + i as f64)).collect::<Result<_,_>>()?;
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let t = std::time::Instant::now();
    let mm = MarkovModel::new(&lib, m, Metric::Dtc, Color::White, &model, &cs, &|_,_|())?;
    println!("survey {:?}", t.elapsed());
    for i in [0,5,6] { let con = mm.against_infallible(i)?; let s = con.chain().solve()?; println!("{} {:?} {}", cs[i], s.lengths.get(31), s.lengths.last().unwrap()); println!("{:?}", s.condition);}
    println!("{:?}", t.elapsed());
    Ok(())
}
